import { type JWTPayload, jwtVerify } from 'jose'
import { ALGORITHM, type SigningKey } from './signing_key.ts'

export interface AccessTokenClaims extends JWTPayload {
  sub: string
  email: string
  client_id: string
}

/** Undefined for anything but an access token of this provider. An ID token has no `client_id`. */
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
