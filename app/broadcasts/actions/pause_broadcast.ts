import Broadcast from '#app/broadcasts/models/broadcast'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export async function pauseBroadcast(appCode: string, id: number): Promise<Broadcast> {
  const broadcast = await Broadcast.of(appCode, id)
  return broadcast.pause()
}
