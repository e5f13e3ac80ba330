import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a server has answered to a request. */
export interface Answer {
  method: string
  url: string
  status: number
  contentType: string | undefined
  body: string
}

/** Looks on while a request is answered. */
export function watch(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  note: (answer: Answer) => void
) {
  const chunks: Buffer[] = []
  let contentType: string | undefined
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  before(response, 'writeHead', (args) => (contentType = contentTypeIn(args.at(-1))))
  before(response, 'write', ([chunk]) => keep(chunk))
  before(response, 'end', ([chunk]) => {
    keep(chunk)
    const type = contentType ?? String(response.getHeader('content-type') ?? '')
    const body = Buffer.concat(chunks).toString()
    note({ method, url, status: response.statusCode, contentType: bare(type), body })
  })
}

/** Looks at the arguments of each call of a method. */
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

function contentTypeIn(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')
  return found && String(found[1])
}

const bare = (contentType: string) => contentType.split(';')[0] || undefined
