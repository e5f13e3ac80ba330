import type AccessChanged from '#core/events/access_changed'
import { accessCaches } from '#app/checks/invalidation/access_caches'
import { workerChannel } from '#app/checks/invalidation/worker_channel'

/** Invalidates the caches of this process and of the other workers. */
export default class InvalidateDecisions {
  handle({ scopes }: AccessChanged) {
    accessCaches.invalidate(scopes)
    workerChannel.send(scopes)
  }
}
