import { Overloaded, RateLimited } from '#core/exceptions/problems'
import type { Caller } from '#core/http/callers'
import limits from '#config/limits'

const RETRY_AFTER = { 'retry-after': '1' }

let shares = 0

/** A number of places (or bytes). One caller gets at most a quarter, so that none can take all. */
export class Share {
  readonly #number = shares++
  readonly #mostPerCaller: number
  taken = 0
  /** How many were refused because the caller had reached its share, or because it was full. */
  readonly refused = { caller: 0, full: 0 }

  constructor(readonly capacity: number) {
    this.#mostPerCaller = Math.max(1, Math.floor(capacity * limits.perCaller))
  }

  /**
   * @throws RateLimited when the caller would exceed its share
   * @throws Overloaded when not enough is left
   */
  take(caller: Caller, amount = 1) {
    const held = (caller.held[this.#number] ?? 0) + amount
    if (held > this.#mostPerCaller) {
      this.refused.caller++
      const detail = 'You have too many requests in progress'
      throw new RateLimited({ detail, headers: RETRY_AFTER })
    }
    this.requireRoom(amount)
    caller.held[this.#number] = held
    this.taken += amount
  }

  hasRoom(amount = 1): boolean {
    return this.taken + amount <= this.capacity
  }

  /** @throws Overloaded when not enough is left */
  requireRoom(amount = 1) {
    if (this.hasRoom(amount)) return
    this.refused.full++
    throw new Overloaded({ headers: RETRY_AFTER })
  }

  giveBack(caller: Caller, amount = 1) {
    caller.held[this.#number] -= amount
    this.taken -= amount
  }
}
