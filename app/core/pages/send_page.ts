import type { HttpContext } from '@adonisjs/core/http'

/** What a page without scripts may do: nothing is loaded from anywhere. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Headers of every page: what it may load, and that nobody else learns where it is. */
export function protectPage({ response }: HttpContext, policy: string) {
  response.header('content-security-policy', policy).header('referrer-policy', 'no-referrer')
}
