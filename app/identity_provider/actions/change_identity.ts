import { changingAccess } from '#core/database/changing_access'
import { logSecurityEvent } from '#core/security_events'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { UserNotFound } from '#app/profiles/exceptions'
import User from '#app/profiles/models/user'
import { accountIssuer } from '#app/profiles/values/account'
import { withProviderUser } from '#app/identity_provider/actions/with_provider_user'
import { claimedEmail } from '#app/identity_provider/values/provider_user_facts'

/**
 * Binds a record to another account at the identity provider, or releases it: then it binds to the
 * next verified account with the address. The person stays active or inactive, unless the provider
 * has deactivated the new account.
 *
 * @param command The command that does it, if nobody is signed in
 * @throws UserNotFound
 */
export async function changeIdentity(
  email: string,
  idpUserId: string | null,
  command?: string
): Promise<User> {
  let before: string | null = null
  const changed = await changingAccess(async (trx, changedAccess) => {
    const user = await lockRecord(email, [idpUserId], trx)
    if (!user) throw new UserNotFound()
    before = user.idpUserId
    if (before === idpUserId && (before === null || user.idpIssuer === accountIssuer)) return false
    if (before !== null && before !== idpUserId) {
      // Late events of that account must not take the record back.
      await withProviderUser(before, trx, (facts) => ({
        ...facts,
        emails: claimedEmail(facts.emails, email),
      }))
    }
    user.release()
    if (idpUserId !== null) {
      user.bindTo(idpUserId, null)
      const told = await withProviderUser(idpUserId, trx, (facts) => ({
        ...facts,
        emails: claimedEmail(facts.emails, email),
        removed: undefined,
      }))
      user.active &&= told.active?.value !== false
    }
    await user.save()
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
