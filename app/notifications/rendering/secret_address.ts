import identityProvider from '#config/identity_provider'

/** Stands for a placeholder in an address that is judged; occurs in no address. */
export const PLACEHOLDER = '\uE000'

/** The pages of the identity provider that take sign-in codes. */
const LOGIN_PAGES = '/ui/'
/** What proxies and servers may decode once more, or take for parameters. */
const AMBIGUOUS_PATH = /%(?:25|2f|5c)|;/i
/** Parameters whose value a page passes on, or that say where it leads. */
const FORWARDING =
  /redirect|return|state|continue|callback|target|next|forward|goto|dest|back|ur[il]/i

const providerOrigins = new Set(
  [identityProvider.issuer, identityProvider.publicUrl].map((url) => new URL(url).origin)
)

/**
 * Whether values in an address reach only the identity provider's login pages: other pages of the
 * provider, such as the authorization endpoint with its `state`, forward them to addresses in
 * parameters. No page of this service needs a secret.
 *
 * @param address With `PLACEHOLDER` for each value: values may only be values of parameters, so that
 *   they change neither the page nor the names of parameters
 */
export function keepsSecrets(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || !providerOrigins.has(url.origin) || url.hash !== '') return false
  const { pathname } = url
  if (!pathname.startsWith(LOGIN_PAGES) || AMBIGUOUS_PATH.test(pathname)) return false
  if (pathname.includes(encodeURI(PLACEHOLDER))) return false
  const parameters = new URLSearchParams(url.search.replaceAll(';', '&'))
  return parameters.keys().every((name) => !FORWARDING.test(name) && !name.includes(PLACEHOLDER))
}
