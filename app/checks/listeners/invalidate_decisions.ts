import type AccessChanged from '#core/events/access_changed'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { workerChannel } from '#app/checks/invalidation/worker_channel'

/** Invalidates the caches of this process and of the other workers. */
export default class InvalidateDecisions {
  handle(change: AccessChanged) {
    followedChanges.apply(change)
    workerChannel.send(change)
  }
}
