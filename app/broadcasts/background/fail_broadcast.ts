import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import Broadcast from '#app/broadcasts/models/broadcast'

/** Open recipients receive nothing. */
export async function failBroadcast(id: number, statusReason: string) {
  await Broadcast.query()
    .where('id', id)
    .where('status', 'running')
    .update({
      status: 'failed',
      status_reason: statusReason,
      finished_at: toDatabaseTimestamp(DateTime.utc()),
    })
}
