import type { WorkSource } from '#app/delivery/outbox/work_source'
import {
  lastSubscriber,
  nextCrowded,
  trimSubscriptions,
} from '#app/notifications/actions/trim_subscriptions'

/** How many people one step looks at, and how many rows it deletes at most. */
const PEOPLE = 5_000
const ROWS = 500
const REST_MS = 24 * 3_600_000

/**
 * Deletes subscriptions above the limit that were created before it existed. No new ones can
 * appear, so one pass through the table after the start and once a day is enough.
 */
export class PushLimitSource implements WorkSource {
  readonly name = 'push subscriptions beyond the limit'
  #after = 0
  #crowded: number | null = null
  #restsUntil = 0

  async work(): Promise<boolean> {
    if (performance.now() < this.#restsUntil) return false
    if (this.#crowded !== null) return this.#trim(this.#crowded)
    const until = this.#after + PEOPLE
    this.#crowded = await nextCrowded(this.#after, until)
    if (this.#crowded !== null) return true
    this.#after = until
    if (until < (await lastSubscriber())) return true
    this.#after = 0
    this.#restsUntil = performance.now() + REST_MS
    return false
  }

  async #trim(userId: number) {
    if ((await trimSubscriptions(userId, ROWS)) === ROWS) return true
    this.#after = userId
    this.#crowded = null
    return true
  }
}
