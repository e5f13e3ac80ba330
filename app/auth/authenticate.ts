import { logSecurityEvent } from '#core/security_events'
import { admissions } from '#app/profiles/actions/admit_account'
import { EmailNotVerified, IdentityConflict } from '#app/auth/exceptions'
import type { Caller, Identity } from '#app/auth/values/caller'
import { tokenVerifier } from '#app/auth/verifier'

/**
 * The person that an `Authorization` header authenticates, if the record of the address belongs to
 * their account. The first contact binds the record.
 *
 * @throws InvalidToken, EmailNotVerified, OrganisationNotAccepted, IdentityConflict,
 *   UpstreamUnreachable
 */
export async function authenticate(authorization: string | undefined): Promise<Caller> {
  const identity = await verify(authorization)
  const standing = admissions.remembered(identity) ?? (await admit(identity))
  if (standing === 'conflict') throw new IdentityConflict()
  return Object.assign(identity, { isActive: standing === 'active' })
}

async function verify(authorization: string | undefined) {
  try {
    return await tokenVerifier.verify(authorization)
  } catch (error) {
    reportUnverified(error)
    throw error
  }
}

function reportUnverified(error: unknown) {
  if (!(error instanceof EmailNotVerified)) return
  logSecurityEvent('email_not_verified', 'A token without a verified e-mail address was refused')
}

/** A conflict is reported when it is found, not when it is read from the cache. */
async function admit(identity: Identity) {
  const standing = await admissions.ask(identity)
  if (standing === 'conflict') {
    const { email, subject, organisationId } = identity
    const facts = { actor: email, subject, organisation: organisationId }
    logSecurityEvent(
      'identity_conflict',
      'A token of an account other than the bound one was refused',
      facts
    )
  }
  return standing
}
