import { type JWTPayload, jwtVerify } from 'jose'
import { ALGORITHM, type SigningKey } from './signing_key.ts'

export interface AccessTokenClaims extends JWTPayload {
  sub: string
  email: string
  client_id: string
}

/**
 * The claims of an access token this provider signed, or undefined for anything else.
 *
 * An ID token is signed with the same key and told apart by its missing `client_id`.
 */
export async function readAccessToken(
  token: string,
  issuer: string,
  key: SigningKey
): Promise<AccessTokenClaims | undefined> {
  try {
    const requiredClaims = ['sub', 'exp', 'email', 'client_id']
    const expectations = { issuer, algorithms: [ALGORITHM], requiredClaims }
    const { payload } = await jwtVerify<AccessTokenClaims>(token, key.publicJwk, expectations)
    return payload
  } catch {
    return undefined
  }
}
