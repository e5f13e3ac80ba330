import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'

/** Ends all broadcasts without open recipients. Every process may call this. */
export async function completeBroadcasts() {
  const { isAnyComplete, complete } = progressStatements()
  // Usually there are none, and on SQLite even an empty update blocks other writers.
  if ((await isAnyComplete.all([])).length === 0) return
  await complete.all([toDatabaseTimestamp(DateTime.utc())])
}
