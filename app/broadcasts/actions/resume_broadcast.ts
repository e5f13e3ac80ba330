import { wakeBackgroundWork } from '#core/background/background_worker'
import { steerBroadcast } from '#app/broadcasts/actions/steer_broadcast'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function resumeBroadcast(appCode: string, id: number): Promise<Broadcast> {
  const broadcast = await steerBroadcast(appCode, id, 'broadcast.resumed', (one) => one.resume())
  wakeBackgroundWork()
  return broadcast
}
