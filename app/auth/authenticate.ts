import { logSecurityEvent } from '#core/security_events'
import { accountBindings } from '#app/profiles/actions/resolve_account_state'
import type { AccountState } from '#app/profiles/values/account'
import { IdentityConflict } from '#app/profiles/exceptions'
import { EmailNotVerified } from '#app/auth/exceptions'
import type { Caller, Identity } from '#app/auth/values/caller'
import { tokenVerifier } from '#app/auth/verifier'

/** @throws InvalidToken, EmailNotVerified, OrganisationNotAccepted, IdentityConflict */
export async function authenticate(authorization: string | undefined): Promise<Caller> {
  return findAuthenticated(authorization) ?? authenticateIdentity(await verify(authorization))
}

/** The caller of a token that was accepted before. Undefined if anything has to be looked up. */
export function findAuthenticated(authorization: string | undefined): Caller | undefined {
  const identity = tokenVerifier.findVerified(authorization)
  const state = identity && accountBindings.get(identity)
  if (!identity || state === undefined || state === 'conflict') return undefined
  return asCaller(identity, state)
}

/** For an identity that was verified before. @throws IdentityConflict */
export async function authenticateIdentity(identity: Identity): Promise<Caller> {
  return requireCaller(identity, accountBindings.get(identity) ?? (await resolveState(identity)))
}

/**
 * Whether a caller may still use the record. The stored binding can be newer than the one that this
 * process remembers.
 * @throws IdentityConflict
 */
export async function confirmBinding(caller: Caller): Promise<void> {
  requireCaller(caller, await resolveState(caller))
}

function requireCaller(identity: Identity, state: AccountState): Caller {
  if (state === 'conflict') throw new IdentityConflict()
  return asCaller(identity, state)
}

function asCaller(identity: Identity, state: 'active' | 'inactive'): Caller {
  return Object.assign(identity, { isActive: state === 'active' })
}

async function verify(authorization: string | undefined) {
  try {
    return await tokenVerifier.verify(authorization)
  } catch (error) {
    logUnverifiedEmail(error)
    throw error
  }
}

function logUnverifiedEmail(error: unknown) {
  if (!(error instanceof EmailNotVerified)) return
  logSecurityEvent('email_not_verified', 'A token without a verified e-mail address was refused')
}

/** Logs a conflict when it is found, not each time it is read from the cache. */
async function resolveState(identity: Identity) {
  const state = await accountBindings.load(identity)
  if (state === 'conflict') {
    const { email, subject, organisationId } = identity
    const facts = { actor: email, subject, organisation: organisationId }
    logSecurityEvent(
      'identity_conflict',
      'A token of an account other than the bound one was refused',
      facts
    )
  }
  return state
}
