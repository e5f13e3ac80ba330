import { listUsers } from '#app/identity_provider/zitadel/listed_users'
import { requireServiceAccount } from '#app/identity_provider/zitadel/ask_provider'
import { deactivateGone } from '#app/identity_provider/reconciliation/deactivate_gone'
import { reconcileListed } from '#app/identity_provider/reconciliation/reconcile_listed'
import { type Lease, withLease } from '#app/identity_provider/with_lease'
import type {
  ReconciliationOptions,
  RunSummary,
} from '#app/identity_provider/reconciliation/reconciliation'

const RENEW_EVERY_MS = 5_000

/**
 * Brings user records in line with the provider's lists of users, for events that never came (identity-provider.md#reconciliation):
 * who is active, their names, their ids. It walks the lists page by page, then asks after the active records whose user
 * may no longer be there. What it cannot be sure of it leaves as it is.
 *
 * @param summary Counts on, so that it tells what was done when the run broke off
 * @throws AlreadyAtWork when another process is at it, and what `askProvider` throws; all done until then is complete
 */
export async function reconcileUsers(
  options: ReconciliationOptions,
  summary: RunSummary
): Promise<void> {
  requireServiceAccount()
  const work = async (lease: Lease) => {
    const run = { ...options, summary, renewLease: renewing(lease, options.stopping) }
    for await (const users of listUsers(options.orgId)) {
      summary.read += users.length
      await reconcileListed(users, run)
    }
    await deactivateGone(run)
  }
  await withLease('reconciliation', work, { waitMs: 0 })
}

function renewing(lease: Lease, stopping: AbortSignal | undefined) {
  let renewedAt = performance.now()
  return async () => {
    stopping?.throwIfAborted()
    if (performance.now() - renewedAt < RENEW_EVERY_MS) return
    await lease.renew()
    renewedAt = performance.now()
  }
}
