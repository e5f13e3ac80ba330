import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'
import type Broadcast from '#app/broadcasts/models/broadcast'
import { wakeBackgroundWork } from '#core/background/background_worker'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function resumeBroadcast(appCode: string, id: number) {
  const broadcast = await changeBroadcastStatus(appCode, id, {
    from: ['paused'],
    reached: ['scheduled', 'running'],
    columns: scheduledOrRunning,
  })
  wakeBackgroundWork()
  return broadcast
}

function scheduledOrRunning({ scheduledAt, startedAt }: Broadcast): Record<string, string> {
  const now = DateTime.utc()
  return startedAt === null && scheduledAt !== null && scheduledAt > now
    ? { status: 'scheduled' }
    : { status: 'running', started_at: toDatabaseTimestamp(startedAt ?? now) }
}
