import { DateTime } from 'luxon'
import { differFrom } from '#app/profiles/values/names'
import User from '#app/profiles/models/user'
import { countUsersWith } from '#app/identity_provider/zitadel/listed_users'
import { followProviderUser } from '#app/identity_provider/user_lifecycle/follow_provider_user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { learnListed } from '#app/identity_provider/reconciliation/listed_facts'
import type { ListedUser } from '#app/identity_provider/zitadel/listed_user'
import { type Run, noteChanges } from '#app/identity_provider/reconciliation/reconciliation'

interface Known {
  own: User[]
  /** The record with the user's address, whoever it belongs to. */
  ofAddress: User | undefined
  isTold: boolean
}

export async function reconcileListed(page: ListedUser[], run: Run): Promise<void> {
  const known = await knownOf(page)
  for (const listed of page) {
    await run.renewLease()
    await reconcile(listed, known(listed), run)
  }
}

async function knownOf(page: ListedUser[]) {
  const ids = page.map(({ userId }) => userId)
  const emails = page.flatMap(({ email }) => email ?? [])
  const records = await User.query().whereIn('idpUserId', ids).orWhereIn('email', emails)
  const told = await ProviderUser.query().whereIn('idpUserId', ids)
  const toldIds = new Set(told.map(({ idpUserId }) => idpUserId))
  return ({ userId, email }: ListedUser): Known => ({
    own: records.filter(({ idpUserId }) => idpUserId === userId),
    ofAddress: records.find((record) => record.email === email),
    isTold: toldIds.has(userId),
  })
}

async function reconcile(listed: ListedUser, known: Known, run: Run) {
  const { own, ofAddress, isTold } = known
  if (own.length === 1 && isInLine(own[0], listed)) return
  const isOurs = own.length > 0 || isTold
  // A user unknown here gets a record on their first visit, unless checks must deny them before.
  if (!isOurs && ofAddress === undefined && listed.active !== false) return
  const maySettle = ofAddress?.idpUserId === listed.userId || (await mayClaim(listed, known, run))
  if (!isOurs && !maySettle) return
  const { changes } = await followProviderUser({
    idpUserId: listed.userId,
    learn: (facts) => learnListed(facts, listed, DateTime.utc()),
    mayClaim: (email) => email !== listed.email || maySettle,
    dryRun: run.dryRun,
  })
  noteChanges(run.summary, changes)
}

/**
 * Whether the listed address certainly belongs to the user. An inactive, unbound record stays
 * closed: somebody left it behind, and it must not open to the next person with the address.
 */
async function mayClaim({ email, isVerified }: ListedUser, { ofAddress }: Known, run: Run) {
  const isFree = ofAddress === undefined || (ofAddress.idpUserId === null && ofAddress.active)
  if (email === null || !isFree) return false
  if (isVerified && (await countUsersWith(email)) === 1) return true
  run.summary.skipped.unclear += 1
  return false
}

function isInLine(record: User, listed: ListedUser) {
  return (
    (listed.active === null || record.active === listed.active) &&
    (listed.email === null || record.email === listed.email) &&
    (listed.orgId === null || record.idpOrgId === listed.orgId) &&
    !differFrom(record, listed.names)
  )
}
