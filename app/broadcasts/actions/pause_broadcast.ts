import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'

/** @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded */
export function pauseBroadcast(appCode: string, id: number) {
  return changeBroadcastStatus(appCode, id, {
    from: ['scheduled', 'running'],
    reached: ['paused'],
    columns: () => ({ status: 'paused' }),
  })
}
