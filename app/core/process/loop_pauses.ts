const TICK_MS = 200
/** A process that does nothing for so long was stopped, or its event loop was blocked. */
const PAUSE_MS = 1_000

/** Only the second clock goes on while the machine is suspended, but it can be set back. */
const CLOCKS = [() => performance.now(), () => Date.now()]

/**
 * Notices that the process stood still. What it should have received meanwhile may wait in its
 * sockets behind requests that arrived later.
 */
export class LoopPauses {
  readonly #clocks: (() => number)[]
  readonly #onPause: () => void
  /** By each clock. */
  #tickedAt: number[] | null = null
  #lastEndedAt = -Infinity

  /**
   * @param onPause called once after each pause
   * @param clocks for tests, in milliseconds
   */
  constructor(onPause = () => {}, clocks = CLOCKS) {
    this.#clocks = clocks
    this.#onPause = onPause
  }

  /** Whether a pause has just ended, before `onPause` is called. */
  get isOver(): boolean {
    const tickedAt = this.#tickedAt
    if (tickedAt === null) return false
    return this.#clocks.some((now, index) => now() - tickedAt[index] > PAUSE_MS)
  }

  /** @param startedAt a `performance.now()` timestamp */
  hasPausedSince(startedAt: number): boolean {
    return this.isOver || this.#lastEndedAt > startedAt
  }

  /** Watches until `signal` aborts. */
  watch(signal?: AbortSignal) {
    this.#tick()
    const timer = setInterval(() => this.#tick(), TICK_MS).unref()
    signal?.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  #tick() {
    const hasPaused = this.isOver
    this.#tickedAt = this.#clocks.map((now) => now())
    if (!hasPaused) return
    this.#lastEndedAt = this.#tickedAt[0]
    this.#onPause()
  }
}
