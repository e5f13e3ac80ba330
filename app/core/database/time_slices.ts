/** In milliseconds. A flood of requests that need no database must not starve those that do. */
const SHORTEST = 5
const LONGEST = 50

/**
 * Limits how long a database that blocks the process, and has one connection, is used in one turn
 * of the event loop: as long as everything else took in the turn before.
 */
export class TimeSlices {
  readonly #onNext: () => void
  #length = SHORTEST
  #used = 0
  /** When this turn began, and the connection was taken: `performance.now()` timestamps. */
  #turnBegan = performance.now()
  #takenAt = 0
  #isNextPlanned = false

  /** @param onNext called when the next turn begins */
  constructor(onNext: () => void) {
    this.#onNext = onNext
  }

  get isUsedUp(): boolean {
    return this.#used >= this.#length
  }

  /** The connection is taken. */
  begin() {
    this.#takenAt = performance.now()
    this.#planNext()
  }

  /** It is free again, perhaps many turns later. */
  end() {
    this.#used += performance.now() - Math.max(this.#takenAt, this.#turnBegan)
    this.#planNext()
  }

  #planNext() {
    if (this.#isNextPlanned) return
    this.#isNextPlanned = true
    setImmediate(() => this.#next())
  }

  #next() {
    const now = performance.now()
    const others = now - this.#turnBegan - this.#used
    this.#length = Math.min(Math.max(others, SHORTEST), LONGEST)
    this.#turnBegan = now
    this.#used = 0
    this.#isNextPlanned = false
    this.#onNext()
  }
}
