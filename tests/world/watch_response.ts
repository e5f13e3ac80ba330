import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface SeenResponse {
  method: string
  url: string
  status: number
  contentType: string | undefined
  /** Only JSON is read; of other bodies, only whether there is one. */
  body: string
}

const OTHER = 'not JSON'
const isJson = (type: string | undefined) => /[/+]json$/.test(type ?? '')

/** Reports the response of a request once it is complete. */
export function watchResponse(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  report: (response: SeenResponse) => void
) {
  const chunks: Buffer[] = []
  let contentType: string | undefined
  let coding: string | undefined
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  before(response, 'writeHead', (args) => {
    contentType = headerOf(args.at(-1), 'content-type')
    coding = headerOf(args.at(-1), 'content-encoding')
  })
  before(response, 'write', ([chunk]) => collect(chunk))
  before(response, 'end', ([chunk]) => {
    collect(chunk)
    const type = mediaType(contentType ?? String(response.getHeader('content-type') ?? ''))
    const bytes = Buffer.concat(chunks)
    const body = isJson(type) ? decompress(bytes, coding).toString() : bytes.length > 0 ? OTHER : ''
    report({ method, url, status: response.statusCode, contentType: type, body })
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

function decompress(bytes: Buffer, coding: string | undefined) {
  if (coding === undefined || bytes.length === 0) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

function headerOf(headers: unknown, headerName: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  // Names and values in turn, or an object.
  const entries = Array.isArray(headers)
    ? headers.flatMap((name, index) =>
        index % 2 === 0 ? [[String(name), headers[index + 1]]] : []
      )
    : Object.entries(headers)
  const found = entries.find(([name]) => name.toLowerCase() === headerName)
  return found && String(found[1])
}

const mediaType = (contentType: string) => contentType.split(';')[0] || undefined
