import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { createUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import { recordOfAddress } from '#app/profiles/queries/record_of_address'
import { toldOfAccount } from '#app/profiles/queries/told_of_account'
import { type Account, type Standing, accountIssuer } from '#app/profiles/values/account'
import { Admissions } from '#app/profiles/values/admissions'

/**
 * Whether an account that a verified token stands for may act as its address. The first one to come
 * gets the record, which is created when missing; the database decides between several at once.
 */
export async function admitAccount(account: Account): Promise<Standing> {
  const known = await recordOfAddress(account.email)
  if (known === null || known.subject === null) return bindRecord(account)
  if (known.subject !== account.subject) return 'conflict'
  // Bound before issuers were recorded.
  if (known.issuer === null) return bindRecord(account)
  if (known.issuer !== accountIssuer) return 'conflict'
  return known.active ? 'active' : 'inactive'
}

/** What this process remembers of `admitAccount`. */
export const admissions = new Admissions(admitAccount)

/** Whether the record of the address is the account's and active, read only: nothing gets bound. */
export async function isStillAdmitted({ email, subject }: Account): Promise<boolean> {
  const known = await recordOfAddress(email)
  return known?.active === true && known.subject === subject && known.issuer === accountIssuer
}

function bindRecord({ email, subject, organisationId }: Account): Promise<Standing> {
  return changingAccess(async (trx, changed) => {
    const told = await toldOfAccount(subject, trx)
    const known = await lockRecord(email, trx)
    if (known && !known.mayBelongTo(subject)) return known.standingOf(subject)
    // A token outlives its account: it must not keep the record from the next holder of the
    // address.
    if (told.isRemoved) return known?.active === false ? 'inactive' : 'conflict'
    if (!known) await createUser({ email }, trx)
    const user = known ?? (await lockRecord(email, trx))!
    if (!user.mayBelongTo(subject)) return user.standingOf(subject)
    // Whoever left an inactive record may be remembered as somebody who still reads it.
    if (told.isInactive || !user.active) changed({ email })
    user.bindTo(subject, organisationId)
    await user.merge({ active: user.active && !told.isInactive }).save()
    return user.standingOf(subject)
  })
}

const lockRecord = (email: string, trx: TransactionClientContract) =>
  User.query({ client: trx }).where({ email }).forUpdate().first()
