import { wakeBackgroundWork } from '#core/background/background_worker'
import Application from '#app/applications/models/application'
import { changeBroadcastStatus } from '#app/broadcasts/actions/change_broadcast_status'
import { requireReachable } from '#app/broadcasts/actions/require_reachable'
import type Broadcast from '#app/broadcasts/models/broadcast'
import type { BroadcastAuthor } from '#app/broadcasts/values/broadcast_request'

/**
 * Whoever resumes a broadcast is responsible for whom it reaches, as with a change.
 * @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded, Forbidden
 */
export async function resumeBroadcast(
  appCode: string,
  id: number,
  author: BroadcastAuthor
): Promise<Broadcast> {
  const { outsideRecipients } = await Application.withCode(appCode)
  const mayReachOutsiders = author.mayReachOutsiders || outsideRecipients
  const broadcast = await changeBroadcastStatus(appCode, id, 'broadcast.resumed', (one) => {
    requireReachable(one.audience, author)
    return one.resume(mayReachOutsiders)
  })
  wakeBackgroundWork()
  return broadcast
}
