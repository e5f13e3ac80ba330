import type { RecentUse, Use } from '#core/values/recent_use'

/** A use of this length, in milliseconds, makes its caller pause. */
const LONG_MS = 20
/** A message is sent with several statements in about a third of this time. */
const VERY_LONG_MS = 100
/** Most of the time is left to others, however long each use takes. */
const PAUSE_FACTOR = 3
const LONGEST_MS = 4_000
/** Nobody pauses if nobody else has used the database for this long. */
const ALONE_MS = 1_000

/**
 * After a long use of a database that blocks the process, those who use it that much pause.
 * Otherwise each statement of a request would wait for another long use, because the next one is
 * not there yet when the previous one ends.
 */
export class Pauses {
  readonly #recentUse: RecentUse
  readonly #onEnd: () => void
  #until = -Infinity
  /** Callers who have used less lately need not pause. */
  #least: Use = { amount: 0, at: 0 }
  #lastCaller: unknown
  #lastChange = -Infinity

  /**
   * @param recentUse of the database
   * @param onEnd called when a pause ends
   */
  constructor(recentUse: RecentUse, onEnd: () => void) {
    this.#recentUse = recentUse
    this.#onEnd = onEnd
  }

  /** Whether the caller must wait for the end of a pause. */
  includes(caller: unknown): boolean {
    const now = performance.now()
    if (now >= this.#until) return false
    return this.#recentUse.of(caller, now) > this.#recentUse.decayed(this.#least, now)
  }

  /** Somebody begins to use the database. */
  noteUse(caller: unknown) {
    if (caller === this.#lastCaller) return
    if (this.#lastCaller !== undefined) this.#lastChange = performance.now()
    this.#lastCaller = caller
  }

  /** Somebody has used the database for so long, which counts in the recent use. */
  beginAfter(caller: unknown, usedMs: number) {
    const now = performance.now()
    if (usedMs < LONG_MS || now - this.#lastChange > usedMs + ALONE_MS) return
    const ms = usedMs > VERY_LONG_MS ? Math.min(usedMs * PAUSE_FACTOR, LONGEST_MS) : usedMs
    // A longer one goes on.
    if (now + ms <= this.#until) return
    this.#until = now + ms
    this.#least = { amount: this.#recentUse.of(caller, now) / 2, at: now }
    this.#endLater()
  }

  /** A timer can fire a little too early. */
  #endLater() {
    const ms = this.#until - performance.now()
    if (ms <= 0) this.#onEnd()
    else setTimeout(() => this.#endLater(), Math.ceil(ms))
  }
}
