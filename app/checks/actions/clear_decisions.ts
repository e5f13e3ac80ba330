import { accessTransaction } from '#core/database/access_transaction'
import { accountBindings } from '#app/profiles/actions/resolve_account_state'
import { decisions } from '#app/checks/decisions'

export function clearDecisions(): void {
  decisions.clear()
  accountBindings.clear()
}

/**
 * Clears the caches of all processes on the same PostgreSQL database, or of all workers on SQLite,
 * by announcing a change of everybody's access (checks.md#clearing-the-cache).
 */
export async function clearDecisionsEverywhere(): Promise<void> {
  await accessTransaction(async (_, changed) => changed({}))
}
