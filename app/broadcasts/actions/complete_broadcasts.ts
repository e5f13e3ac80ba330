import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'

/** Ends all broadcasts without open recipients. Every process may call this. */
export function completeBroadcasts() {
  return progressStatements().complete.all([toDatabase(DateTime.utc())])
}
