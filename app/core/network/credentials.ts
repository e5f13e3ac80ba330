import type { IncomingHttpHeaders } from 'node:http'

/** The signature of the identity provider, under the names that its versions give it. */
export const SIGNATURE_HEADERS = ['idp-signature', 'zitadel-signature', 'x-zitadel-signature']

/** Every header that a guard reads. */
const CREDENTIAL_HEADERS = [
  'authorization',
  'x-internal-api-key',
  'x-webhook-secret',
  'x-check-key',
  ...SIGNATURE_HEADERS,
]

/**
 * Whether a request carries a credential of any kind. One without is no guess: any web page can
 * make the browsers of its visitors send it.
 */
export function carriesCredential(headers: IncomingHttpHeaders): boolean {
  return CREDENTIAL_HEADERS.some((name) => headers[name] !== undefined)
}
