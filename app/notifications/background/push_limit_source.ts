import type { WorkSource } from '#core/background/work_source'
import {
  lastOfNextSubscribers,
  nextSubscriberOverLimit,
} from '#app/notifications/queries/subscribers_over_limit'
import { trimSubscriptions } from '#app/notifications/actions/trim_subscriptions'

// Per step.
const MAX_READ = 5_000
const MAX_DELETED = 500
const PAUSE_MS = 24 * 3_600_000

/** Once a day, deletes subscriptions above the limit that were created before it existed. */
export class PushLimitSource implements WorkSource {
  readonly name = 'push subscriptions beyond the limit'
  #after = 0
  #overLimit: number | null = null
  #pausedUntil = 0

  async work(): Promise<boolean> {
    if (performance.now() < this.#pausedUntil) return false
    if (this.#overLimit !== null) return this.#trim(this.#overLimit)
    const until = await lastOfNextSubscribers(this.#after, MAX_READ)
    if (until === null) {
      this.#after = 0
      this.#pausedUntil = performance.now() + PAUSE_MS
      return false
    }
    this.#overLimit = await nextSubscriberOverLimit(this.#after, until)
    if (this.#overLimit === null) this.#after = until
    return true
  }

  async #trim(userId: number) {
    if ((await trimSubscriptions(userId, MAX_DELETED)) === MAX_DELETED) return true
    this.#after = userId
    this.#overLimit = null
    return true
  }
}
