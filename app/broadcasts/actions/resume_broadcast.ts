import { wakeBackgroundWork } from '#core/background/background_worker'
import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function resumeBroadcast(appCode: string, id: number): Promise<Broadcast> {
  const broadcast = await changeBroadcastStatus(appCode, id, 'broadcast.resumed', (one) =>
    one.resume()
  )
  wakeBackgroundWork()
  return broadcast
}
