import type { IncomingHttpHeaders } from 'node:http'

/** The names in different versions of Zitadel. */
export const SIGNATURE_HEADERS = ['idp-signature', 'zitadel-signature', 'x-zitadel-signature']

const TOKEN_HEADER = 'authorization'

const CREDENTIAL_HEADERS = [
  TOKEN_HEADER,
  'x-internal-api-key',
  'x-webhook-secret',
  'x-check-key',
  ...SIGNATURE_HEADERS,
]

/** Without one, a request is not a guess: web pages can make browsers send such requests. */
export function hasCredential(headers: IncomingHttpHeaders): boolean {
  return CREDENTIAL_HEADERS.some((name) => headers[name] !== undefined)
}

/** Whether the request has no other credential, such as a key. */
export function hasOnlyToken(headers: IncomingHttpHeaders): boolean {
  const names = CREDENTIAL_HEADERS.filter((name) => headers[name] !== undefined)
  return names.length === 1 && names[0] === TOKEN_HEADER
}
