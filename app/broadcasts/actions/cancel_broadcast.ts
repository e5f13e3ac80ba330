import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export function cancelBroadcast(appCode: string, id: number) {
  return changeBroadcastStatus(appCode, id, {
    from: ['scheduled', 'running', 'paused'],
    reached: ['cancelled'],
    columns: () => ({ status: 'cancelled', finished_at: toDatabaseTimestamp(DateTime.utc()) }),
  })
}
