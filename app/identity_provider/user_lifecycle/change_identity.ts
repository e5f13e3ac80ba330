import { accessTransaction } from '#core/database/access_transaction'
import { logSecurityEvent } from '#core/security_events'
import { applyNameChanges } from '#app/profiles/actions/apply_name_changes'
import { recordUserChange, userState } from '#app/profiles/actions/record_user_change'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { UserNotFound } from '#app/profiles/exceptions'
import User from '#app/profiles/models/user'
import { accountIssuer } from '#app/profiles/values/account'
import { updateProviderUserFacts } from '#app/identity_provider/user_lifecycle/update_provider_user_facts'
import {
  datedNames,
  withClaimedEmail,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

/**
 * Binds a user record to another account, or releases it (`null`). The user stays active unless
 * the provider has deactivated the new account.
 * @param command the command that makes the change, if nobody is signed in
 * @throws UserNotFound
 */
export async function changeIdentity(
  email: string,
  idpUserId: string | null,
  command?: string
): Promise<User> {
  let before: string | null = null
  const changed = await accessTransaction(async (trx, changedAccess) => {
    const user = await lockRecord(email, [idpUserId], trx)
    if (!user) throw new UserNotFound()
    before = user.idpUserId
    const stateBefore = userState(user)
    const isBound = before === null || user.idpIssuer === accountIssuer
    if (before === idpUserId && user.identityVerified && isBound) return false
    if (before !== null && before !== idpUserId) {
      // Late events of the previous account must not bind the record again.
      await updateProviderUserFacts(before, trx, (facts) => ({
        ...facts,
        emails: withClaimedEmail(facts.emails, email),
      }))
    }
    user.discardUnverifiedIdentity()
    user.release()
    if (idpUserId !== null) {
      user.bindTo(idpUserId, null)
      const account = await updateProviderUserFacts(idpUserId, trx, (facts) => ({
        ...facts,
        emails: withClaimedEmail(facts.emails, email),
        removed: undefined,
      }))
      user.active &&= account.active?.value !== false
      applyNameChanges(user, datedNames(account))
    }
    await user.save()
    await recordUserChange(trx, stateBefore, user)
    changedAccess({ email })
    return true
  })
  if (changed) {
    const facts = { ...(command && { actor: command }), email, from: before, to: idpUserId }
    logSecurityEvent(
      'identity_changed',
      'A user record was bound to another account or released',
      facts
    )
  }
  return User.withEmail(email)
}
