import { steerBroadcast } from '#app/broadcasts/actions/steer_broadcast'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export function pauseBroadcast(appCode: string, id: number): Promise<Broadcast> {
  return steerBroadcast(appCode, id, 'broadcast.paused', (broadcast) => broadcast.pause())
}
