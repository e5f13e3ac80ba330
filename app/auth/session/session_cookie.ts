import { createHash, randomBytes } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '@adonisjs/core/http'
import panelConfig from '#config/panel'

/** Browsers accept this prefix only from the host itself, with `Secure` and `Path=/`. */
export const SESSION_COOKIE = '__Host-concierge-panel'

/** Distinguishes browsers, so that a sign-in ends where it began (panel.md#pending-sign-ins). */
const BROWSER_COOKIE = '__Host-concierge-browser'

const OPTIONS = {
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
  path: '/',
  maxAge: panelConfig.session.hours * 3_600,
} as const

/** Not strict: the browser comes back from the provider's site. */
const BROWSER_OPTIONS = { ...OPTIONS, sameSite: 'lax', maxAge: '30 days' } as const
const SECRET = /^[\w-]{43}$/

export const newSecret = () => randomBytes(32).toString('base64url')

export const hashSecret = (secret: string) =>
  createHash('sha256').update(secret).digest('base64url')

export const readSessionSecret = (request: HttpRequest) => readSecret(request, SESSION_COOKIE)

export const readBrowserSecret = (request: HttpRequest) => readSecret(request, BROWSER_COOKIE)

function readSecret(request: HttpRequest, name: string): string | undefined {
  const value: unknown = request.plainCookie(name, { encoded: false })
  return typeof value === 'string' && SECRET.test(value) ? value : undefined
}

export function setSessionCookie(response: HttpResponse, secret: string) {
  response.plainCookie(SESSION_COOKIE, secret, { ...OPTIONS, encode: false })
}

export function clearSessionCookie(response: HttpResponse) {
  response.clearCookie(SESSION_COOKIE, OPTIONS)
}

/** Longer than a session, so that the browser's next one replaces it. */
export function setBrowserCookie(response: HttpResponse, secret: string) {
  response.plainCookie(BROWSER_COOKIE, secret, { ...BROWSER_OPTIONS, encode: false })
}
