import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { BroadcastEnded } from '#app/broadcasts/exceptions'
import Broadcast from '#app/broadcasts/models/broadcast'
import type { BroadcastStatus } from '#app/broadcasts/values/broadcast_status'
import { wakeOutbox } from '#app/delivery/outbox/outbox_worker'

export type Steering = 'pause' | 'resume' | 'cancel'

const FROM: Record<Steering, BroadcastStatus[]> = {
  pause: ['scheduled', 'running'],
  resume: ['paused'],
  cancel: ['scheduled', 'running', 'paused'],
}

/** What steering leads to: asking for it again changes nothing. */
const REACHED: Record<Steering, BroadcastStatus[]> = {
  pause: ['paused'],
  resume: ['scheduled', 'running'],
  cancel: ['cancelled'],
}

/**
 * Pauses, resumes or cancels a broadcast. Every process sees it within a second; messages that are just being handed over still
 * go out.
 *
 * @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded
 */
export async function steerBroadcast(
  appCode: string,
  id: number,
  steering: Steering
): Promise<Broadcast> {
  const broadcast = await Broadcast.of(appCode, id)
  const changed = await Broadcast.query()
    .where('id', id)
    .whereIn('status', FROM[steering])
    .update(changes(steering, broadcast))
  await broadcast.refresh()
  if (Number(changed) === 0 && !REACHED[steering].includes(broadcast.status)) {
    throw new BroadcastEnded({ details: { status: broadcast.status } })
  }
  if (steering === 'resume') wakeOutbox()
  return broadcast
}

function changes(steering: Steering, { scheduledAt, startedAt }: Broadcast) {
  const now = DateTime.utc()
  switch (steering) {
    case 'pause':
      return { status: 'paused' }
    case 'cancel':
      return { status: 'cancelled', finished_at: toDatabase(now) }
    case 'resume':
      return startedAt === null && scheduledAt !== null && scheduledAt > now
        ? { status: 'scheduled' }
        : { status: 'running', started_at: toDatabase(startedAt ?? now) }
  }
}
