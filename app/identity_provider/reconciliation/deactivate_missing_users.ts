import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import User from '#app/profiles/models/user'
import {
  PAGE_SIZE,
  findUsers,
  canSeeUsersOf,
  userExists,
} from '#app/identity_provider/zitadel/listed_users'
import { synchroniseProviderUser } from '#app/identity_provider/user_lifecycle/synchronise_provider_user'
import { reconcileListedUsers } from '#app/identity_provider/reconciliation/reconcile_listed_users'
import { LAG, applyMissingUser } from '#app/identity_provider/reconciliation/listed_user_facts'
import {
  type ReconciliationRun,
  newRunSummary,
  addChanges,
} from '#app/identity_provider/reconciliation/reconciliation'

/** Ids in the provider's own form. Others came from elsewhere. */
const PROVIDER_ID = /^\d{1,200}$/

/**
 * Deactivates the active records whose user the provider no longer has, and opens those that such a
 * user closed without having proved the address. Its lists leave out users that the service account
 * may not see, so each missing user is looked up, and only in organisations where anyone is
 * visible.
 */
export async function deactivateMissingUsers(run: ReconciliationRun): Promise<void> {
  const isVisible = cachedVisibility()
  for await (const records of recordsInQuestion(run)) {
    await run.renewLease()
    const found = await findUsers([...new Set(records.map(({ idpUserId }) => idpUserId!))])
    // Most of them were just reconciled, so do not count the skipped ones again.
    await reconcileListedUsers(found, {
      ...run,
      summary: { ...run.summary, skipped: newRunSummary().skipped },
    })
    const foundIds = new Set(found.map(({ userId }) => userId))
    for (const { idpUserId, idpOrgId } of records) {
      if (foundIds.has(idpUserId!)) continue
      await run.renewLease()
      const isMissing =
        idpOrgId !== null && (await isVisible(idpOrgId)) && !(await userExists(idpUserId!))
      if (isMissing) await applyMissing(idpUserId!, run)
      else run.summary.skipped.unseen += 1
    }
  }
}

/** Leaves out records that have just changed, because the provider's lists may lag behind. */
async function* recordsInQuestion({ orgId }: ReconciliationRun): AsyncGenerator<User[]> {
  const before = toDatabaseTimestamp(DateTime.utc().minus(LAG))
  for (let after = 0; ;) {
    const records = await User.query()
      .where((query) => query.where('active', true).orWhere(isClosedReservation))
      .whereNotNull('idpUserId')
      .where('updatedAt', '<', before)
      .where('id', '>', after)
      .if(orgId, (query) => query.where('idpOrgId', orgId!))
      .orderBy('id')
      .limit(PAGE_SIZE)
    if (records.length === 0) return
    after = records.at(-1)!.id
    const batch = records.filter(({ idpUserId }) => PROVIDER_ID.test(idpUserId!))
    if (batch.length > 0) yield batch
  }
}

/** The provider could not be asked about the account when it closed the record. */
function isClosedReservation(query: ModelQueryBuilderContract<typeof User>) {
  query.where({ active: false, identityVerified: false })
}

function cachedVisibility() {
  const known = new Map<string, boolean>()
  return async (orgId: string) => {
    if (!known.has(orgId)) known.set(orgId, await canSeeUsersOf(orgId))
    return known.get(orgId)!
  }
}

async function applyMissing(idpUserId: string, run: ReconciliationRun) {
  const { changes } = await synchroniseProviderUser({
    idpUserId,
    updateFacts: (facts) => applyMissingUser(facts, DateTime.utc()),
    mayClaim: () => false,
    proofOf: () => 'unverified',
    dryRun: run.dryRun,
  })
  addChanges(run.summary, changes)
}
