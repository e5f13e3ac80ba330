import type { JWTHeaderParameters, JWTPayload } from 'jose'
import { InvalidToken } from '#app/auth/exceptions'

/** The identity provider uses `JWT`, which its ID tokens have as well. */
const GENERIC_TYPES = new Set<unknown>([undefined, 'jwt'])
const ACCESS_TOKEN_TYPES = new Set<unknown>(['at+jwt', 'application/at+jwt'])

/** Claims that occur only in ID tokens (OpenID Connect Core 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash']

export interface TokenKindSettings {
  audience: string[]
  clientId?: string
  /** For ID tokens of the development provider, outside production. */
  acceptsIdTokens?: boolean
}

/** @throws InvalidToken for ID tokens, logout tokens and security event tokens */
export function requireAccessToken(
  { typ }: Pick<JWTHeaderParameters, 'typ'>,
  payload: JWTPayload,
  settings: TokenKindSettings
): void {
  const type: unknown = typeof typ === 'string' ? typ.toLowerCase() : typ
  if (payload.events !== undefined)
    throw new InvalidToken('The token is a security event token, not an access token')
  if (ACCESS_TOKEN_TYPES.has(type)) return
  if (!GENERIC_TYPES.has(type))
    throw new InvalidToken('The token type is not that of an access token')
  if (settings.acceptsIdTokens) return
  if (
    ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined) ||
    isForClientOnly(payload, settings)
  )
    throw new InvalidToken('The token is an ID token, not an access token')
}

/** An access token names its audience; an ID token names only the client. */
function isForClientOnly(
  { aud, azp }: JWTPayload,
  { audience, clientId }: TokenKindSettings
): boolean {
  if (clientId === undefined || azp !== undefined) return false
  const isOnlyClient = Array.isArray(aud) ? aud.every((one) => one === clientId) : aud === clientId
  return isOnlyClient && audience.some((one) => one !== clientId)
}
