/** A use of this length, in milliseconds, makes its caller pause. */
const LONG_MS = 20
/** A message is sent with several statements in about a third of this time. */
const VERY_LONG_MS = 100
/** Most of the time is left to others, however long each use takes. */
const PAUSE_FACTOR = 3
const LONGEST_MS = 5_000
/** Nobody pauses if nobody else has used the database for this long. */
const ALONE_MS = 1_000

/**
 * After a long use of a database that blocks the process, those who use it that much pause.
 * Otherwise each statement of a request would wait for another long use, because the next one is
 * not there yet when the previous one ends.
 */
export class Pauses {
  readonly #onEnd: () => void
  #until = -Infinity
  /** Callers who have used less lately need not pause. */
  #leastMs = 0
  #lastCaller: unknown
  #lastChange = -Infinity

  /** @param onEnd called when a pause ends */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** @param recentMs how long the caller has used the database lately */
  includes(recentMs: number): boolean {
    return recentMs > this.#leastMs && performance.now() < this.#until
  }

  /** Somebody begins to use the database. */
  noteUse(caller: unknown) {
    if (caller === this.#lastCaller) return
    if (this.#lastCaller !== undefined) this.#lastChange = performance.now()
    this.#lastCaller = caller
  }

  /**
   * Somebody has used the database.
   *
   * @param usedMs for how long
   * @param recentMs for how long lately
   */
  beginAfter(usedMs: number, recentMs: number) {
    const now = performance.now()
    if (usedMs < LONG_MS || now - this.#lastChange > usedMs + ALONE_MS) return
    const ms = usedMs > VERY_LONG_MS ? Math.min(usedMs * PAUSE_FACTOR, LONGEST_MS) : usedMs
    this.#until = now + ms
    this.#leastMs = recentMs / 2
    this.#endLater()
  }

  /** A timer can fire a little too early. */
  #endLater() {
    const ms = this.#until - performance.now()
    if (ms <= 0) this.#onEnd()
    else setTimeout(() => this.#endLater(), Math.ceil(ms))
  }
}
