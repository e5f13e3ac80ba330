import identityProvider from '#config/identity_provider'

/** Stands for a value; no address contains this character. */
export const VALUE_MARK = '\uE000'

// The identity provider's pages that accept sign-in codes.
const LOGIN_PAGES = '/ui/'
// Proxies and servers may decode these again, or read parameters from them.
const AMBIGUOUS_PATH = /%(?:25|2f|5c)|;/i
// Parameters whose value a page passes on, or that say where to continue.
const FORWARDING =
  /redirect|return|state|continue|callback|target|next|forward|goto|dest|back|ur[il]/i

const providerOrigins = new Set(
  [identityProvider.issuer, identityProvider.publicUrl].map((url) => new URL(url).origin)
)

/**
 * Whether only login pages of the identity provider receive the values in an address. Its other
 * pages can forward them: the authorization endpoint sends `state` to the address in a parameter.
 * No page of this service needs a secret.
 *
 * @param address has `VALUE_MARK` in place of each value. A mark may only be in parameter values,
 * so that no value changes the page or the name of a parameter.
 */
export function keepsSecrets(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || !providerOrigins.has(url.origin) || url.hash !== '') return false
  const { pathname } = url
  if (!pathname.startsWith(LOGIN_PAGES) || AMBIGUOUS_PATH.test(pathname)) return false
  if (pathname.includes(encodeURI(VALUE_MARK))) return false
  const parameters = new URLSearchParams(url.search.replaceAll(';', '&'))
  return parameters.keys().every((name) => !FORWARDING.test(name) && !name.includes(VALUE_MARK))
}
