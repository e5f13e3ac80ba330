import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { currentTime } from '#core/values/clock'
import { takeRevisions } from '#core/changes/revision_counter'
import { accessTransaction } from '#core/database/access_transaction'
import { accessCaches } from '#app/checks/invalidation/access_caches'

export function clearDecisions(): void {
  accessCaches.invalidate([{}])
}

/** More than a restored backup or a failover can have lost. Enough alone if a clock is wrong. */
const SKIPPED_REVISIONS = 1_000_000

/**
 * Clears the caches of all processes on the same PostgreSQL database, or of all workers on SQLite,
 * by announcing a change of everyone's access (checks.md#clearing-the-cache).
 */
export async function clearDecisionsEverywhere(): Promise<void> {
  await accessTransaction(async (trx, changed) => {
    await skipLostRevisions(trx)
    changed({})
  })
}

/**
 * So that no revision that somebody may know is used again. It advances to the time, too: otherwise
 * a backup that is restored twice would use the same revisions twice.
 */
export async function skipLostRevisions(trx: TransactionClientContract): Promise<void> {
  const revision = await takeRevisions(trx, SKIPPED_REVISIONS)
  await takeRevisions(trx, Math.max(0, currentTime() - revision))
}
