import { createHash } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '@adonisjs/core/http'
import { secrets } from '#core/secrets'
import { hashSecret, readBrowserSecret } from '#app/auth/session/session_cookie'
import type { TestSignIn } from '#app/panel/values/test_sign_in'
import panelConfig from '#config/panel'

/** Kept in an encrypted cookie between the two requests of a sign-in. */
export interface PendingSignIn {
  nonce: string
  verifier: string
  returnTo: string
  /** Of a sign-in that only shows whether it works, and starts no session; else null. */
  test: TestSignIn | null
  /** Hash of the browser's secret. */
  browserHash: string
}

/** Not strict: the browser comes back from the provider's site. */
const OPTIONS = { httpOnly: true, secure: true, sameSite: 'lax', path: '/panel/callback' } as const

const MAX_AGE_SECONDS = panelConfig.signInMinutes * 60

export const hashState = (state: string) => createHash('sha256').update(state).digest('base64url')

/** One cookie per sign-in, so that several tabs can sign in at the same time. */
const cookieName = (state: string) =>
  `concierge-panel-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`

/** A value belongs to its state. */
const purposeOf = (state: string) => `panel-sign-in ${state}`

export function keepSignIn(response: HttpResponse, state: string, pending: PendingSignIn) {
  const value = secrets.encrypt(JSON.stringify(pending), purposeOf(state), MAX_AGE_SECONDS * 1_000)
  const options = { ...OPTIONS, maxAge: MAX_AGE_SECONDS, encode: false }
  response.plainCookie(cookieName(state), value, options)
}

/** Null if this browser did not start the sign-in, or too long ago. */
export function takeSignIn(
  request: HttpRequest,
  response: HttpResponse,
  state: string
): PendingSignIn | null {
  const name = cookieName(state)
  const value: unknown = request.plainCookie(name, { encoded: false })
  if (typeof value !== 'string') return null
  response.clearCookie(name, OPTIONS)
  const text = secrets.decrypt(value, purposeOf(state))
  const pending = text === null ? null : (JSON.parse(text) as PendingSignIn)
  const browser = readBrowserSecret(request)
  // A sibling domain can plant the cookie of a sign-in, but not that of the browser.
  const isOwn = browser !== undefined && pending?.browserHash === hashSecret(browser)
  return isOwn ? pending : null
}
