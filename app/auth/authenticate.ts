import { logSecurityEvent } from '#core/security_events'
import { accountBindings, findAccountState } from '#app/profiles/actions/resolve_account_state'
import type { AccountState } from '#app/profiles/values/account'
import { IdentityConflict } from '#app/profiles/exceptions'
import { AccountErased, EmailNotVerified } from '#app/auth/exceptions'
import type { Caller, Identity } from '#app/auth/values/caller'
import { tokenVerifier } from '#app/auth/verifier'

/** @throws InvalidToken, EmailNotVerified, OrganisationNotAccepted, IdentityConflict */
export async function authenticate(authorization: string | undefined): Promise<Caller> {
  return findAuthenticated(authorization) ?? authenticateIdentity(await verify(authorization))
}

/**
 * For a request that was authenticated before, whose guards are repeated. Binds no record: the
 * caller's may have been erased since.
 * @throws InvalidToken, EmailNotVerified, OrganisationNotAccepted, IdentityConflict, AccountErased
 */
export async function authenticateAgain(authorization: string | undefined): Promise<Caller> {
  return findAuthenticated(authorization) ?? requireBound(await verify(authorization))
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
 * @throws IdentityConflict, AccountErased
 */
export async function confirmBinding(caller: Caller): Promise<void> {
  await requireBound(caller)
}

async function requireBound(identity: Identity): Promise<Caller> {
  const state = await findAccountState(identity)
  if (state === undefined) throw new AccountErased()
  if (state === 'conflict') logConflict(identity)
  return requireCaller(identity, state)
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
  if (state === 'conflict') logConflict(identity)
  return state
}

function logConflict({ email, subject, organisationId }: Identity) {
  logSecurityEvent(
    'identity_conflict',
    'A token of an account other than the bound one was refused',
    { actor: email, subject, organisation: organisationId }
  )
}
