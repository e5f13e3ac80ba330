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

  /** How long to wait for a turn. */
  get waitMs(): number {
    return Math.max(0, this.remainingMs - this.#reservedMs)
  }

  /** The same for a repetition, which may wait in the reserved time. */
  get withoutReserve(): Deadline {
    return new Deadline(this.remainingMs)
  }

  get hasPassed(): boolean {
    return this.remainingMs === 0
  }
}
