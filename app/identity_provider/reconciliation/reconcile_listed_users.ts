import { DateTime } from 'luxon'
import { namesDiffer } from '#app/profiles/values/names'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import User from '#app/profiles/models/user'
import { countUsersWithEmail } from '#app/identity_provider/zitadel/listed_users'
import { synchroniseProviderUser } from '#app/identity_provider/user_lifecycle/synchronise_provider_user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { applyListedUser } from '#app/identity_provider/reconciliation/listed_user_facts'
import type { ListedUser } from '#app/identity_provider/zitadel/listed_user'
import {
  type ReconciliationRun,
  addChanges,
} from '#app/identity_provider/reconciliation/reconciliation'

interface KnownUser {
  records: User[]
  /** The record with the user's address, whoever it belongs to. */
  recordOfAddress: User | undefined
  wasReported: boolean
}

export async function reconcileListedUsers(
  page: ListedUser[],
  run: ReconciliationRun
): Promise<void> {
  const findKnown = await loadKnownUsers(page)
  for (const listed of page) {
    await run.renewLease()
    await reconcile(listed, findKnown(listed), run)
  }
}

async function loadKnownUsers(page: ListedUser[]) {
  const ids = page.map(({ userId }) => userId)
  const emails = page.flatMap(({ email }) => email ?? [])
  const records = await User.query().whereIn('idpUserId', ids).orWhereIn('email', emails)
  const reported = await ProviderUser.query().whereIn('idpUserId', ids)
  const reportedIds = new Set(reported.map(({ idpUserId }) => idpUserId))
  return ({ userId, email }: ListedUser): KnownUser => ({
    records: records.filter(({ idpUserId }) => idpUserId === userId),
    recordOfAddress: records.find((record) => record.email === email),
    wasReported: reportedIds.has(userId),
  })
}

async function reconcile(listed: ListedUser, known: KnownUser, run: ReconciliationRun) {
  const { records, recordOfAddress, wasReported } = known
  if (records.length === 1 && isUpToDate(records[0], listed)) return
  const isKnown = records.length > 0 || wasReported
  // A user unknown here gets a record on their first visit, unless checks must deny them before.
  if (!isKnown && recordOfAddress === undefined && listed.active !== false) return
  if (!isKnown && (await ErasedIdentity.of([listed.userId])).size > 0) return
  const isOwn = recordOfAddress?.idpUserId === listed.userId
  const isProven = await ownsAddress(listed, known, run)
  if (!isKnown && !isProven) return
  const { changes } = await synchroniseProviderUser({
    idpUserId: listed.userId,
    updateFacts: (facts) => applyListedUser(facts, listed, { now: DateTime.utc(), isProven }),
    mayClaim: (email) => email !== listed.email || isOwn || isProven,
    proofOf: (email) => (email === listed.email && !listed.isVerified ? 'unverified' : 'unknown'),
    dryRun: run.dryRun,
  })
  addChanges(run.summary, changes)
}

/**
 * Whether the listed address certainly belongs to the user. An inactive, unbound record stays
 * closed: its owner has left, and it must not become available to the next user with the address.
 */
async function ownsAddress(
  { userId, email, isVerified }: ListedUser,
  { recordOfAddress }: KnownUser,
  run: ReconciliationRun
) {
  if (email === null || recordOfAddress?.isFree === false) return false
  if (isVerified && (await countUsersWithEmail(email)) === 1) return true
  if (recordOfAddress?.idpUserId !== userId) run.summary.skipped.unclear += 1
  return false
}

function isUpToDate(record: User, listed: ListedUser) {
  return (
    // A user may be locked out because the provider could not be asked about their address.
    (record.identityVerified || (record.active && !listed.isVerified)) &&
    (listed.active === null || record.active === listed.active) &&
    (listed.email === null || record.email === listed.email) &&
    (listed.orgId === null || record.idpOrgId === listed.orgId) &&
    !namesDiffer(record, listed.names)
  )
}
