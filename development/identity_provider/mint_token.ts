import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { TOKEN_LIFETIME_SECONDS, accessTokenClaims } from './claims.ts'
import { AccountDirectory } from './directory.ts'
import { ALGORITHM, loadSigningKey } from './signing_key.ts'
import { StateFile } from './state_file.ts'

export interface MintOptions {
  issuer: string
  keysFile: string
  clientId: string
  audience: string[]
  email: string
  /** Such as `12h` (the default) or, for an expired token, `-1 minute`. */
  expiresIn?: string
}

/**
 * Creates an access token like that of a login, and the account if it is new. Needs only the files.
 * @throws TypeError for an invalid address or time span
 */
export async function mintToken(options: MintOptions): Promise<string> {
  const { kid, privateJwk } = await loadSigningKey(options.keysFile)
  const account = new AccountDirectory(new StateFile(options.keysFile)).byEmail(options.email)
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT(accessTokenClaims(account, options))
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(options.issuer)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(options.expiresIn ?? now + TOKEN_LIFETIME_SECONDS)
    .setJti(randomUUID())
    .sign(privateJwk)
}
