import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export function pauseBroadcast(appCode: string, id: number): Promise<Broadcast> {
  return changeBroadcastStatus(appCode, id, 'broadcast.paused', (broadcast) => broadcast.pause())
}
