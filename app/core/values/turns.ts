/** How long work goes on before everything else gets its turn, in milliseconds. */
const SLICE_MS = 5

/**
 * Lets pieces of work that need the processor take turns with everything else: however many are
 * waiting, the event loop gets round in between.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  /** When the first piece of this round of the event loop began. */
  #began: number | null = null

  /** Wait for it before each piece; undefined when there is nothing to wait for. */
  take(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasTime()) return undefined
    return new Promise((go) => {
      if (this.#waiting.push(go) === 1) setImmediate(() => this.#next())
    })
  }

  #hasTime(): boolean {
    const now = performance.now()
    if (this.#began !== null) return now - this.#began < SLICE_MS
    this.#began = now
    setImmediate(() => (this.#began = null))
    return true
  }

  /** One piece in each round: an immediate that is set now comes in the next one. */
  #next() {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#next())
  }
}
