import { accessTransaction } from '#core/database/access_transaction'
import { accessCaches } from '#app/checks/invalidation/access_caches'

export function clearDecisions(): void {
  accessCaches.invalidate([{}])
}

/**
 * Clears the caches of all processes on the same PostgreSQL database, or of all workers on SQLite,
 * by announcing a change of everyone's access (checks.md#clearing-the-cache).
 */
export async function clearDecisionsEverywhere(): Promise<void> {
  await accessTransaction(async (_, changed) => changed({}))
}
