import { changingAccess } from '#core/database/changing_access'
import { createUser } from '#app/profiles/actions/ensure_user'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { recordOfAddress } from '#app/profiles/queries/record_of_address'
import { toldOfAccount } from '#app/profiles/queries/told_of_account'
import { type Account, type Standing, accountIssuer } from '#app/profiles/values/account'
import { Admissions } from '#app/profiles/values/admissions'

/**
 * Whether the account of a verified token may act as its address. The first account gets the
 * record, which is created if missing; the database decides between concurrent ones.
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

/** The cached results of `admitAccount`. */
export const admissions = new Admissions(admitAccount)

/**
 * Whether the record of the address belongs to the account and is active; reads only, binds
 * nothing.
 */
export async function isStillAdmitted({ email, subject }: Account): Promise<boolean> {
  const known = await recordOfAddress(email)
  return known?.active === true && known.subject === subject && known.issuer === accountIssuer
}

function bindRecord({ email, subject, organisationId }: Account): Promise<Standing> {
  return changingAccess(async (trx, changed) => {
    const known = await lockRecord(email, [subject], trx)
    const told = await toldOfAccount(subject, trx)
    if (known && !known.mayBelongTo(subject)) return known.standingOf(subject)
    // A token can outlive its account; it must not bind the record before the next holder does.
    if (told.isRemoved) return known?.active === false ? 'inactive' : 'conflict'
    if (!known) await createUser({ email }, trx)
    const user = known ?? (await lockRecord(email, [subject], trx))!
    if (!user.mayBelongTo(subject)) return user.standingOf(subject)
    // The former account of an inactive record may be cached as one that can still read it.
    if (told.isInactive || !user.active) changed({ email })
    user.bindTo(subject, organisationId)
    await user.merge({ active: user.active && !told.isInactive }).save()
    return user.standingOf(subject)
  })
}
