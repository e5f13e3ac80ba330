import { accessTransaction } from '#core/database/access_transaction'
import { admissions } from '#app/profiles/actions/admit_account'
import { decisions } from '#app/checks/decisions'

/** Clears this process's caches of decisions and accounts. */
export function clearDecisions(): void {
  decisions.clear()
  admissions.clear()
}

/**
 * Empties the decision caches of every process that this one can tell: all of the same PostgreSQL, the workers of one
 * service on SQLite (checks.md#clearing-the-cache). Announced as a change of everybody's access.
 */
export async function clearDecisionsEverywhere(): Promise<void> {
  await accessTransaction(async (_, changed) => changed({}))
}
