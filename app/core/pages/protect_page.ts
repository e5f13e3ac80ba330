import type { HttpContext } from '@adonisjs/core/http'

export const PLAIN_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

export function protectPage({ response }: HttpContext, policy: string) {
  response.header('content-security-policy', policy).header('referrer-policy', 'no-referrer')
}
