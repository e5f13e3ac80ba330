import type { JWTHeaderParameters, JWTPayload } from 'jose'
import { InvalidToken } from '#app/auth/exceptions'

/** What the header of an access token may call itself; the identity provider says `JWT`. */
const GENERIC_TYPES = new Set<unknown>([undefined, 'jwt'])
const ACCESS_TOKEN_TYPES = new Set<unknown>(['at+jwt', 'application/at+jwt'])

/** Claims that only ID tokens have (OpenID Connect Core 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash']

export interface KindSettings {
  audience: string[]
  /** The client this service signs in with. */
  clientId?: string
  /** Outside production, for the development provider. */
  acceptsIdTokens?: boolean
}

/**
 * Refuses tokens of the right issuer that were made for something else: ID tokens tell a client who
 * signed in, logout and security event tokens that something happened.
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

/** Access tokens name the audience they are for; an ID token names the client alone. */
function isForClient({ aud, azp }: JWTPayload, { audience, clientId }: KindSettings): boolean {
  if (clientId === undefined || azp !== undefined) return false
  const isOnlyClient = Array.isArray(aud) ? aud.every((one) => one === clientId) : aud === clientId
  return isOnlyClient && audience.some((one) => one !== clientId)
}
