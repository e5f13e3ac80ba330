import { listUsers } from '#app/identity_provider/zitadel/listed_users'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import { deactivateMissingUsers } from '#app/identity_provider/reconciliation/deactivate_missing_users'
import { openAbandonedRecords } from '#app/identity_provider/reconciliation/open_abandoned_records'
import { reconcileListedUsers } from '#app/identity_provider/reconciliation/reconcile_listed_users'
import { type Lease, withLease } from '#core/database/leases/with_lease'
import type {
  ReconciliationOptions,
  RunSummary,
} from '#app/identity_provider/reconciliation/reconciliation'

const RENEW_EVERY_MS = 5_000

/**
 * See identity-provider.md#reconciliation.
 * @param summary updated during the run, so that it is right even if the run fails
 * @throws AlreadyAtWork if another process is reconciling, and as `callProvider` does
 */
export async function reconcileUsers(
  options: ReconciliationOptions,
  summary: RunSummary
): Promise<void> {
  requireServiceAccount()
  const work = async (lease: Lease) => {
    const run = { ...options, summary, renewLease: leaseRenewal(lease, options.stopping) }
    for await (const users of listUsers(options.orgId)) {
      summary.read += users.length
      await reconcileListedUsers(users, run)
    }
    await deactivateMissingUsers(run)
    // A record without an account belongs to no organisation.
    if (options.orgId === undefined) await openAbandonedRecords(run)
  }
  await withLease('reconciliation', work, { waitMs: 0 })
}

function leaseRenewal(lease: Lease, stopping: AbortSignal | undefined) {
  let renewedAt = performance.now()
  return async () => {
    stopping?.throwIfAborted()
    if (performance.now() - renewedAt < RENEW_EVERY_MS) return
    await lease.renew()
    renewedAt = performance.now()
  }
}
