import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { violationsOf } from '#tests/helpers/contract'

const violations: string[] = []

/**
 * Holds every answer of the server against the API description, whatever client asked: what does not fit is kept for
 * `requireContract`.
 */
export function watchAnswers(server: Server): Server {
  return server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request
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
      const answer = { method, url, status: response.statusCode, contentType: bare(type), body }
      violations.push(...violationsOf(answer))
    })
  })
}

/** @throws Error that lists the answers since the last time that do not fit the description */
export function requireContract() {
  const found = new Set(violations.splice(0))
  if (found.size > 0) throw new Error([...found].slice(0, 20).join('\n'))
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
