import type { JWTHeaderParameters, JWTPayload } from 'jose'
import { InvalidToken } from '#app/auth/exceptions'

/** The `typ` values that access tokens may have; the identity provider uses `JWT`. */
const GENERIC_TYPES = new Set<unknown>([undefined, 'jwt'])
const ACCESS_TOKEN_TYPES = new Set<unknown>(['at+jwt', 'application/at+jwt'])

/** Claims that only ID tokens have (OpenID Connect Core 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash']

export interface KindSettings {
  audience: string[]
  /** The client this service signs in with. */
  clientId?: string
  /** Outside production, ID tokens of the development provider are accepted. */
  acceptsIdTokens?: boolean
}

/**
 * Refuses tokens of the issuer that are not access tokens, such as ID tokens, logout tokens and
 * security event tokens.
 *
 * @throws InvalidToken
 */
export function requireAccessToken(
  { typ }: Pick<JWTHeaderParameters, 'typ'>,
  payload: JWTPayload,
  settings: KindSettings
): void {
  const type: unknown = typeof typ === 'string' ? typ.toLowerCase() : typ
  if (payload.events !== undefined)
    throw new InvalidToken('This is a security event token, not an access token')
  if (ACCESS_TOKEN_TYPES.has(type)) return
  if (!GENERIC_TYPES.has(type))
    throw new InvalidToken('The type of this token is not that of an access token')
  if (settings.acceptsIdTokens) return
  if (
    ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined) ||
    isForClient(payload, settings)
  )
    throw new InvalidToken('This is an ID token, not an access token')
}

/** Access tokens name their audience; an ID token names only the client. */
function isForClient({ aud, azp }: JWTPayload, { audience, clientId }: KindSettings): boolean {
  if (clientId === undefined || azp !== undefined) return false
  const isOnlyClient = Array.isArray(aud) ? aud.every((one) => one === clientId) : aud === clientId
  return isOnlyClient && audience.some((one) => one !== clientId)
}
