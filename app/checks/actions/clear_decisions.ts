import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { takeRevisions } from '#core/changes/revision_counter'
import { accessTransaction } from '#core/database/access_transaction'
import { accessCaches } from '#app/checks/invalidation/access_caches'

export function clearDecisions(): void {
  accessCaches.invalidate([{}])
}

/** More than a restored backup, or a failover, can have lost. */
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

/** So that no revision that somebody may know is used again. */
export async function skipLostRevisions(trx: TransactionClientContract): Promise<void> {
  await takeRevisions(trx, SKIPPED_REVISIONS)
}
