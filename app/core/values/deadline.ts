export class Deadline {
  readonly #at: number
  readonly #reservedMs: number

  /** @param reservedMs at the end, for the work itself: no wait for a turn takes from it */
  constructor(budgetMs: number, reservedMs = 0) {
    this.#at = performance.now() + budgetMs
    this.#reservedMs = reservedMs
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now())
  }

  /** How long to wait for a turn. A repetition, in the reserved time, may wait to the end. */
  get waitMs(): number {
    const { remainingMs } = this
    return remainingMs > this.#reservedMs ? remainingMs - this.#reservedMs : remainingMs
  }

  get hasPassed(): boolean {
    return this.remainingMs === 0
  }
}
