const TICK_MS = 200
/** A process that does nothing for so long was stopped, or its event loop was blocked. */
const PAUSE_MS = 1_000

/**
 * Notices that the process stood still. What it should have received meanwhile may wait in its
 * sockets behind requests that arrived later.
 */
export class LoopPauses {
  readonly #now: () => number
  readonly #onPause: () => void
  #tickedAt: number | null = null

  /**
   * @param onPause called once after each pause
   * @param now a clock for tests, in milliseconds
   */
  constructor(onPause: () => void, now: () => number = () => performance.now()) {
    this.#onPause = onPause
    this.#now = now
  }

  /** Whether a pause has just ended, before `onPause` is called. */
  get isOver(): boolean {
    return this.#tickedAt !== null && this.#now() - this.#tickedAt > PAUSE_MS
  }

  /** Watches until `signal` aborts. */
  watch(signal: AbortSignal) {
    this.#tick()
    const timer = setInterval(() => this.#tick(), TICK_MS).unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  #tick() {
    const hasPaused = this.isOver
    this.#tickedAt = this.#now()
    if (hasPaused) this.#onPause()
  }
}
