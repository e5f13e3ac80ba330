import Broadcast from '#app/broadcasts/models/broadcast'
import { BroadcastEnded } from '#app/broadcasts/exceptions'
import type { BroadcastStatus } from '#app/broadcasts/values/broadcast_status'

export interface StatusChange {
  from: BroadcastStatus[]
  /** Broadcasts in one of these states stay as they are. */
  reached: BroadcastStatus[]
  columns(broadcast: Broadcast): Record<string, string>
}

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function changeBroadcastStatus(
  appCode: string,
  id: number,
  { from, reached, columns }: StatusChange
): Promise<Broadcast> {
  const broadcast = await Broadcast.of(appCode, id)
  const changed = await Broadcast.query()
    .where('id', id)
    .whereIn('status', from)
    .update(columns(broadcast))
  await broadcast.refresh()
  if (Number(changed) === 0 && !reached.includes(broadcast.status)) {
    throw new BroadcastEnded({ details: { status: broadcast.status } })
  }
  return broadcast
}
