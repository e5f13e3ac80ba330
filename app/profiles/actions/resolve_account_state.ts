import { accessTransaction } from '#core/database/access_transaction'
import { applyNameChanges } from '#app/profiles/actions/apply_name_changes'
import { createUser } from '#app/profiles/actions/ensure_user'
import { recordSignIn, userState } from '#app/profiles/actions/record_user_change'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { readAccountBinding } from '#app/profiles/queries/read_account_binding'
import { readReportedState } from '#app/profiles/queries/read_reported_state'
import { type Account, type AccountState, accountIssuer } from '#app/profiles/values/account'
import { AccountBindings } from '#app/profiles/values/account_bindings'

/** The first account binds the record. The database decides between concurrent ones. */
export async function resolveAccountState(account: Account): Promise<AccountState> {
  return (await findAccountState(account)) ?? bindRecord(account)
}

/** Binds nothing. Undefined if no account has been bound, or none of a known issuer. */
export async function findAccountState(account: Account): Promise<AccountState | undefined> {
  const record = await readAccountBinding(account.email)
  if (!record?.isVerified || record.subject === null) return undefined
  if (record.subject !== account.subject) return 'conflict'
  // Bound before issuers were recorded.
  if (record.issuer === null) return undefined
  if (record.issuer !== accountIssuer) return 'conflict'
  return record.active ? 'active' : 'inactive'
}

export const accountBindings = new AccountBindings(resolveAccountState)

function bindRecord({ email, subject, organisationId }: Account): Promise<AccountState> {
  return accessTransaction(async (trx, changed) => {
    const record = await lockRecord(email, [subject], trx)
    const reported = await readReportedState(subject, trx)
    if (record && !record.canBindTo(subject)) return record.accountState(subject)
    // A token can outlive its account and must not bind the record before the next holder does.
    if (reported.isRemoved) return record?.active === false ? 'inactive' : 'conflict'
    if (!record) await createUser({ email }, trx)
    const user = record ?? (await lockRecord(email, [subject], trx))!
    if (!user.canBindTo(subject)) return user.accountState(subject)
    // Conditions read the account. The cache may also still allow a previous one to read an
    // inactive record.
    changed({ email })
    const before = userState(user)
    user.bindTo(subject, organisationId)
    applyNameChanges(user, reported.names)
    await user.merge({ active: user.active && !reported.isInactive }).save()
    await recordSignIn(trx, before, user)
    return user.accountState(subject)
  })
}
