import { UpstreamUnreachable } from '#core/exceptions/problems'
import { UnusableAnswer } from '#core/network/outbound_json'
import { isPlainlyWritten, normalizeEmail } from '#core/values/email'
import { EmailNotVerified, InvalidToken } from '#app/auth/exceptions'
import type { Claims } from '#app/auth/token/userinfo'

export interface ProvenEmail {
  /** Canonical. */
  email: string
  /** The other claims about the person, including those of the token. */
  claims: Claims
}

/**
 * The address that the token or userinfo says is verified. The source of the address must also say
 * that it is verified; userinfo may do so for the token's address if the token has no such claim.
 * An address that only resembles its canonical form is not verified: whoever owns the one need not
 * own the other.
 *
 * @throws InvalidToken, EmailNotVerified, and what `askUserinfo` throws
 */
export async function provenEmail(
  claims: Claims,
  askUserinfo: () => Promise<Claims>
): Promise<ProvenEmail> {
  if (claims.email === undefined) {
    const userinfo = await askUserinfo()
    return { email: verified(userinfo), claims: { ...claims, ...userinfo } }
  }
  if (claims.email_verified !== undefined) return { email: verified(claims), claims }
  const email = emailOf(claims)
  const userinfo = await unlessRefused(askUserinfo)
  if (!isVerified(userinfo) || readEmail(userinfo) !== email) throw new EmailNotVerified()
  requirePlainlyWritten(userinfo)
  return { email, claims }
}

function verified(claims: Claims): string {
  const email = emailOf(claims)
  if (!isVerified(claims)) throw new EmailNotVerified()
  return email
}

/**
 * Some providers write booleans as text. Nothing else is accepted, such as numbers or other
 * spellings.
 */
function isVerified({ email_verified: claim }: Claims): boolean {
  return claim === true || claim === 'true'
}

function emailOf(claims: Claims): string {
  const email = readEmail(claims)
  if (email === null) throw new InvalidToken('No e-mail address was found for this token')
  requirePlainlyWritten(claims)
  return email
}

function requirePlainlyWritten({ email: claim }: Claims) {
  if (isPlainlyWritten(String(claim))) return
  throw new EmailNotVerified(
    'The e-mail address has characters that only resemble others, such as full-width letters'
  )
}

function readEmail({ email: claim }: Claims): string | null {
  return typeof claim === 'string' ? normalizeEmail(claim) : null
}

/** If userinfo refuses, the address is unverified; if it cannot be reached, the error is thrown. */
async function unlessRefused(askUserinfo: () => Promise<Claims>): Promise<Claims> {
  try {
    return await askUserinfo()
  } catch (error) {
    if (isRefusal(error)) return {}
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  if (error instanceof InvalidToken) return true
  const cause = error instanceof UpstreamUnreachable ? error.cause : undefined
  return cause instanceof UnusableAnswer && cause.status < 500 && cause.status !== 429
}
