import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditState, Change } from '#core/audit/change'
import { recordChange, recordSideEffect } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import type User from '#app/profiles/models/user'

/** What the audit trail keeps of a user record. */
export function userState({
  active,
  idpUserId,
  idpOrgId,
  identityVerified,
  firstName,
  lastName,
  displayName,
}: Partial<User>): AuditState {
  return { active, idpUserId, idpOrgId, identityVerified, firstName, lastName, displayName }
}

/** @param before what `userState` returned before the change */
export function recordUserChange(trx: TransactionClientContract, before: AuditState, user: User) {
  return recordChange(trx, userChange(before, user))
}

/** A change made by a sign-in, not requested by an administrator. */
export function recordSignIn(trx: TransactionClientContract, before: AuditState, user: User) {
  return recordSideEffect(trx, userChange(before, user))
}

/** The change of a record, for the audit trail. */
export function userChange(before: AuditState, user: User): Change {
  const after = userState(user)
  return {
    action: actionOf(before, after),
    application: null,
    target: userTarget(user.email),
    before,
    after,
    email: user.email,
  }
}

function actionOf(before: AuditState, after: AuditState) {
  if (before.active !== after.active) return after.active ? 'user.activated' : 'user.deactivated'
  const isIdentity = (['idpUserId', 'idpOrgId', 'identityVerified'] as const).some(
    (name) => before[name] !== after[name]
  )
  return isIdentity ? 'user.identity_changed' : 'user.profile_changed'
}
