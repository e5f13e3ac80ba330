import { once } from 'node:events'
import { connect } from 'node:net'
import { type Assert } from '@japa/assert'
import { signatureOf } from '#tests/helpers/signature'
import { INTERNAL_KEY, SUPER_ADMIN, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'

/** Where the service under test listens. */
export const serviceUrl = () => `http://${process.env.HOST}:${process.env.PORT}`

let token: Promise<string> | undefined

/** Who sends: the best-placed caller of an authentication class. */
export type Sender = 'token' | 'internal' | 'webhook' | 'hook' | 'network'

/**
 * The credentials of that caller. The token stays the same: many requests shall not cost as many signatures.
 *
 * @param body what is sent, for the sender that signs it
 */
export async function credentials(
  sender: Sender,
  body: string | Uint8Array = ''
): Promise<Record<string, string>> {
  switch (sender) {
    case 'token':
      token ??= issuer.token(SUPER_ADMIN)
      return { authorization: `Bearer ${await token}` }
    case 'internal':
      return { 'x-internal-api-key': INTERNAL_KEY }
    case 'webhook':
      return { 'x-webhook-secret': WEBHOOK_SECRET }
    case 'hook':
      return { 'idp-signature': signatureOf(body) }
    case 'network':
      return {}
  }
}

/** Sends a body as it is, whatever it holds; JSON unless `headers` say otherwise. */
export function sendBody(
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | undefined,
  headers: Record<string, string> = {}
) {
  return fetch(`${serviceUrl()}${path}`, {
    method,
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Writes text to a connection of its own and answers everything that comes back: no client mends what is sent. */
export async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(serviceUrl())
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk))
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return answer
}

export interface ProblemBody {
  status: number
  code: string
  detail: string
  details: { errors?: { field: string; rule: string; message: string }[] } & Record<string, unknown>
  requestId: string
}

const INSIDE =
  /node_modules|\bat \S+ \(|\.[jt]s:\d+|file:\/\/|SQLITE|\bselect\b.*\bfrom\b|\binsert into\b|relation "|syntax error|knex|lucid|\/(work|home|tmp|app)\//i

/** The problem details of an answer, after proof that they are complete and show nothing of the inside. */
export async function problemOf(
  assert: Assert,
  response: Response,
  what?: string
): Promise<ProblemBody> {
  const text = await response.text()
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, what)
  assert.notMatch(text, INSIDE, what)
  const problem = JSON.parse(text)
  assert.sameMembers(
    Object.keys(problem),
    ['type', 'title', 'status', 'detail', 'code', 'details', 'requestId'],
    what
  )
  assert.equal(problem.status, response.status, what)
  assert.match(problem.code, /^[A-Z][A-Z0-9_]*$/, what)
  assert.equal(problem.requestId, response.headers.get('x-request-id'), what)
  return problem
}
