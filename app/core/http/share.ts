import { Overloaded, RateLimited } from '#core/exceptions/problems'
import type { RequestSource } from '#core/http/request_source'
import httpLimits from '#config/http_limits'

const RETRY_AFTER = { 'retry-after': '1' }

let shares = 0

/** Places or bytes. One caller gets at most a quarter of them. */
export class Share {
  readonly #number = shares++
  readonly #maxPerCaller: number
  taken = 0
  readonly refused = { caller: 0, full: 0 }

  constructor(readonly capacity: number) {
    this.#maxPerCaller = Math.max(1, Math.floor(capacity * httpLimits.perCaller))
  }

  /** @throws RateLimited, Overloaded */
  take(caller: RequestSource, amount = 1) {
    const held = (caller.held[this.#number] ?? 0) + amount
    if (held > this.#maxPerCaller) {
      this.refused.caller++
      const detail = 'You have too many requests in progress'
      throw new RateLimited({ detail, headers: RETRY_AFTER })
    }
    this.requireCapacity(amount)
    caller.held[this.#number] = held
    this.taken += amount
  }

  hasRoom(amount = 1): boolean {
    return this.taken + amount <= this.capacity
  }

  /** @throws Overloaded */
  requireCapacity(amount = 1) {
    if (this.hasRoom(amount)) return
    this.refused.full++
    throw new Overloaded({ headers: RETRY_AFTER })
  }

  release(caller: RequestSource, amount = 1) {
    caller.held[this.#number] -= amount
    this.taken -= amount
  }
}
