import { wakeBackgroundWork } from '#core/background/background_worker'
import Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function cancelBroadcast(appCode: string, id: number): Promise<Broadcast> {
  const broadcast = await Broadcast.of(appCode, id)
  await broadcast.cancel()
  wakeBackgroundWork()
  return broadcast
}
