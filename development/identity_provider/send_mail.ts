import { createHmac } from 'node:crypto'
import type { State } from './api/state.ts'

const POST_WITHIN_MS = 5_000

/**
 * Posts a mail to the active e-mail provider, with the real signature and timeout.
 * @returns whether it was accepted
 */
export async function sendMail({ emailProviders }: State, message: object): Promise<boolean> {
  const active = [...emailProviders.values()].find(({ isActive }) => isActive)
  if (!active?.http?.signingKey) return false
  const { endpoint, signingKey } = active.http
  const body = JSON.stringify(message)
  const at = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', signingKey).update(`${at}.${body}`).digest('hex')
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'zitadel-signature': `t=${at},v1=${digest}` },
      signal: AbortSignal.timeout(POST_WITHIN_MS),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
