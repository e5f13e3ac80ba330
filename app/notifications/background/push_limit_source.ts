import type { WorkSource } from '#core/background/work_source'
import {
  lastSubscriberId,
  nextSubscriberOverLimit,
} from '#app/notifications/queries/subscribers_over_limit'
import { trimSubscriptions } from '#app/notifications/actions/trim_subscriptions'

// Per step.
const USER_ID_RANGE = 5_000
const MAX_ROWS = 500
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
    const until = this.#after + USER_ID_RANGE
    this.#overLimit = await nextSubscriberOverLimit(this.#after, until)
    if (this.#overLimit !== null) return true
    this.#after = until
    if (until < (await lastSubscriberId())) return true
    this.#after = 0
    this.#pausedUntil = performance.now() + PAUSE_MS
    return false
  }

  async #trim(userId: number) {
    if ((await trimSubscriptions(userId, MAX_ROWS)) === MAX_ROWS) return true
    this.#after = userId
    this.#overLimit = null
    return true
  }
}
