import { createHmac } from 'node:crypto'

/** The key of the e-mail hook, once a test has stored it. */
export const HOOK_KEY = 'whsec-of-the-tests'

/** The signature the provider would put on these bytes. */
export function signatureOf(
  body: string | Uint8Array,
  { key = HOOK_KEY, at = Math.floor(Date.now() / 1000) } = {}
) {
  const digest = createHmac('sha256', key).update(`${at}.`).update(body).digest('hex')
  return `t=${at},v1=${digest}`
}
