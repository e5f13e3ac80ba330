import { UpstreamUnreachable } from '#core/exceptions/problems'
import { UnusableResponse } from '#core/network/outbound_json'
import { isPlainlyWritten, normalizeEmail } from '#core/values/email'
import { EmailNotVerified, InvalidToken } from '#app/auth/exceptions'
import type { Claims } from '#app/auth/token/userinfo'

export interface VerifiedEmail {
  /** Canonical. */
  email: string
  /** Includes the claims of userinfo if it supplied the address. */
  claims: Claims
}

/**
 * Userinfo may confirm the token's address only if the token has no `email_verified` claim. An
 * address that only resembles its canonical form may be another user's mailbox, so it is refused.
 *
 * @throws InvalidToken, EmailNotVerified, and what `askUserinfo` throws
 */
export async function resolveVerifiedEmail(
  claims: Claims,
  askUserinfo: () => Promise<Claims>
): Promise<VerifiedEmail> {
  if (saysWhetherVerified(claims)) return { email: requireVerifiedEmail(claims), claims }
  if (claims.email === undefined) {
    const userinfo = await askUserinfo()
    return { email: requireVerifiedEmail(userinfo), claims: { ...claims, ...userinfo } }
  }
  const email = requireEmail(claims)
  const userinfo = await emptyIfRefused(askUserinfo)
  if (!isVerified(userinfo) || readEmail(userinfo) !== email) throw new EmailNotVerified()
  requirePlainlyWritten(userinfo)
  return { email, claims }
}

/** Whether only the token decides on the address, and userinfo is not asked. */
export const saysWhetherVerified = (claims: Claims) =>
  claims.email !== undefined && claims.email_verified !== undefined

function requireVerifiedEmail(claims: Claims): string {
  const email = requireEmail(claims)
  if (!isVerified(claims)) throw new EmailNotVerified()
  return email
}

/** Some providers send booleans as text. */
function isVerified({ email_verified: claim }: Claims): boolean {
  return claim === true || claim === 'true'
}

function requireEmail(claims: Claims): string {
  const email = readEmail(claims)
  if (email === null) throw new InvalidToken('No e-mail address was found for this token')
  requirePlainlyWritten(claims)
  return email
}

function requirePlainlyWritten({ email: claim }: Claims) {
  if (isPlainlyWritten(String(claim))) return
  throw new EmailNotVerified(
    'The e-mail address contains characters that only resemble others, such as full-width letters'
  )
}

function readEmail({ email: claim }: Claims): string | null {
  return typeof claim === 'string' ? normalizeEmail(claim) : null
}

/** Treats a refusal by userinfo as no claims. */
async function emptyIfRefused(askUserinfo: () => Promise<Claims>): Promise<Claims> {
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
  return cause instanceof UnusableResponse && cause.status < 500 && cause.status !== 429
}
