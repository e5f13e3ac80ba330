import type { IncomingHttpHeaders } from 'node:http'

/** The names in different versions of Zitadel. */
export const SIGNATURE_HEADERS = ['idp-signature', 'zitadel-signature', 'x-zitadel-signature']

const CREDENTIAL_HEADERS = [
  'authorization',
  'x-internal-api-key',
  'x-webhook-secret',
  'x-check-key',
  ...SIGNATURE_HEADERS,
]

/** Without one, a request is not a guess: web pages can make browsers send such requests. */
export function hasCredential(headers: IncomingHttpHeaders): boolean {
  return CREDENTIAL_HEADERS.some((name) => headers[name] !== undefined)
}
