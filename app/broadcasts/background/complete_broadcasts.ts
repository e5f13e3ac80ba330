import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'

/** Ends all broadcasts without open recipients. Every process may call this. */
export function completeBroadcasts() {
  return progressStatements().complete.all([toDatabaseTimestamp(DateTime.utc())])
}
