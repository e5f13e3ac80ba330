import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'

/**
 * All processes notice within a second. Messages already handed over still go out.
 *
 * @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded
 */
export function pauseBroadcast(appCode: string, id: number) {
  return changeBroadcastStatus(appCode, id, {
    from: ['scheduled', 'running'],
    reached: ['paused'],
    columns: () => ({ status: 'paused' }),
  })
}
