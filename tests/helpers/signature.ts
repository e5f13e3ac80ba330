import { createHmac } from 'node:crypto'

export const HOOK_KEY = 'whsec-of-the-tests'

export function signatureOf(
  body: string | Uint8Array,
  { key = HOOK_KEY, at = Math.floor(Date.now() / 1000) } = {}
) {
  const digest = createHmac('sha256', key).update(`${at}.`).update(body).digest('hex')
  return `t=${at},v1=${digest}`
}
