import { once } from 'node:events'
import { connect } from 'node:net'
import { type Assert } from '@japa/assert'
import { signatureOf } from '#tests/helpers/signature'
import { readTextError } from '#tests/helpers/text_errors'
import { INTERNAL_KEY, SUPER_ADMIN, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'

export const serviceUrl = () => `http://${process.env.HOST}:${process.env.PORT}`

/** The most privileged caller of an authentication class. */
export type Sender = 'token' | 'internal' | 'webhook' | 'hook' | 'network'

/** @param body signed by the sender `hook` */
export async function credentials(
  sender: Sender,
  body: string | Uint8Array = ''
): Promise<Record<string, string>> {
  switch (sender) {
    case 'token':
      return { authorization: `Bearer ${await issuer.reusedToken(SUPER_ADMIN)}` }
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

/** Sends any body; JSON by default. */
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
    headers: {
      'content-type': 'application/json',
      ...headers,
    },
  })
}

/** Writes raw text, which no HTTP client corrects, and returns everything received. */
export async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(serviceUrl())
  const socket = connect(Number(port), hostname)
  let response = ''
  socket.setEncoding('latin1').on('data', (chunk) => (response += chunk))
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return response
}

export interface ProblemBody {
  status: number
  code: string
  detail: string
  details: { errors?: { field: string; rule: string; message: string }[] } & Record<string, unknown>
  requestId: string
}

const INTERNALS =
  /node_modules|\bat \S+ \(|\.[jt]s:\d+|file:\/\/|SQLITE|\bselect\b.*\bfrom\b|\binsert into\b|relation "|syntax error|knex|lucid|\/(work|home|tmp|app)\//i

/** Asserts that the problem details, or the text error, are complete and reveal no internals. */
export async function problemOf(
  assert: Assert,
  response: Response,
  what?: string
): Promise<ProblemBody> {
  const text = await response.text()
  const error = readTextError(response.headers.get('content-type'), text)
  if (error) {
    assert.notMatch(text, INTERNALS, what)
    const requestId = response.headers.get('x-request-id')!
    const details = { errors: [{ field: error.field, rule: '', message: error.detail }] }
    return { ...error, status: response.status, details, requestId }
  }
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, what)
  assert.notMatch(text, INTERNALS, what)
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
