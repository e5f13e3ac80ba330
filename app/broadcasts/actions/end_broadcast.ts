import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import Broadcast from '#app/broadcasts/models/broadcast'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'

/** Ends the broadcasts that have reached everybody. Whoever sees it first does it. */
export function completeBroadcasts() {
  return progressStatements().complete.all([toDatabase(DateTime.utc())])
}

/** Ends a broadcast that cannot be carried out; recipients who are still waiting get nothing. */
export async function failBroadcast(id: number, statusReason: string) {
  await Broadcast.query()
    .where('id', id)
    .where('status', 'running')
    .update({
      status: 'failed',
      status_reason: statusReason,
      finished_at: toDatabase(DateTime.utc()),
    })
}
