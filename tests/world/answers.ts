import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface Answer {
  method: string
  url: string
  status: number
  contentType: string | undefined
  body: string
}

/** Reports the response of a request once it is complete. */
export function watch(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  note: (answer: Answer) => void
) {
  const chunks: Buffer[] = []
  let contentType: string | undefined
  let coding: string | undefined
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  before(response, 'writeHead', (args) => {
    contentType = headerIn(args.at(-1), 'content-type')
    coding = headerIn(args.at(-1), 'content-encoding')
  })
  before(response, 'write', ([chunk]) => keep(chunk))
  before(response, 'end', ([chunk]) => {
    keep(chunk)
    const type = contentType ?? String(response.getHeader('content-type') ?? '')
    const body = decoded(Buffer.concat(chunks), coding).toString()
    note({ method, url, status: response.statusCode, contentType: bare(type), body })
  })
}

/** Calls `look` with the arguments of each call of a method. */
function before(
  response: ServerResponse,
  name: 'writeHead' | 'write' | 'end',
  look: (args: unknown[]) => void
) {
  const original: (...args: never[]) => unknown = response[name]
  const watched = (...args: unknown[]) => {
    look(args)
    return Reflect.apply(original, response, args)
  }
  Object.assign(response, { [name]: watched })
}

function decoded(bytes: Buffer, coding: string | undefined) {
  if (coding === undefined || bytes.length === 0) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

function headerIn(headers: unknown, wanted: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)
  return found && String(found[1])
}

const bare = (contentType: string) => contentType.split(';')[0] || undefined
