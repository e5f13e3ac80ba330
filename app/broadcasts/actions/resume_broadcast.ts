import { wakeBackgroundWork } from '#core/background/background_worker'
import Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function resumeBroadcast(appCode: string, id: number): Promise<Broadcast> {
  const broadcast = await Broadcast.of(appCode, id)
  await broadcast.resume()
  wakeBackgroundWork()
  return broadcast
}
