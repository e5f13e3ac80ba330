import { type IncomingHttpHeaders, request } from 'node:http'
import { SUPER_ADMIN, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'
import type { CheckBody } from '#tests/helpers/management'

export interface RemoteResponse {
  status: number
  body: unknown
  headers: IncomingHttpHeaders
}

/** A client for any service. Every request uses a new connection, so that workers take turns. */
export function remote(url: string) {
  const send = async (method: string, path: string, body?: object, headers: object = {}) =>
    new Promise<RemoteResponse>((resolve, reject) => {
      const sending = request(`${url}${path}`, {
        method,
        agent: false,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      })
      sending.on('error', reject)
      sending.on('response', async (response) => {
        const chunks: Buffer[] = await response.toArray()
        const text = Buffer.concat(chunks).toString()
        const parsed: unknown = text === '' ? null : JSON.parse(text)
        resolve({ status: response.statusCode!, body: parsed, headers: response.headers })
      })
      sending.end(body && JSON.stringify(body))
    })

  /** @throws Error for any status but 2xx */
  const change = async (method: string, path: string, body?: object, headers: object = {}) => {
    const response = await send(method, path, body, headers)
    if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response)}`)
    return (response.body as { data?: unknown } | null)?.data as { id: number }
  }

  const manage = async (method: string, path: string, body?: object) =>
    change(method, path, body, { authorization: `Bearer ${await issuer.token(SUPER_ADMIN)}` })

  return {
    send,
    post: (path: string, body: object) => manage('POST', path, body),
    put: (path: string, body: object) => manage('PUT', path, body),
    delete: (path: string) => manage('DELETE', path),
    webhook: (eventType: string, email: string) => {
      const headers = { 'x-webhook-secret': WEBHOOK_SECRET }
      return change('POST', '/api/idp/webhook', { eventType, user: { email } }, headers)
    },
    check: (body: CheckBody) => send('POST', '/api/check', body),
    async allowed(body: CheckBody) {
      const response = await send('POST', '/api/check', body)
      if (response.status !== 200) throw new Error(JSON.stringify(response))
      return (response.body as { data: { allowed: boolean } }).data.allowed
    },
  }
}

export type Remote = ReturnType<typeof remote>
