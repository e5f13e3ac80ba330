const SLICE_MS = 5

/** Interleaves CPU-bound work with the event loop, however much of it is waiting. */
export class CooperativeQueue {
  readonly #waiting: (() => void)[] = []
  #workedMs = 0
  #willReset = false

  async run<T>(work: () => T): Promise<T> {
    if (this.#waiting.length > 0 || this.#workedMs >= SLICE_MS) await this.#waitForTurn()
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      this.#addWork(performance.now() - startedAt)
    }
  }

  #waitForTurn() {
    return new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#runNext())
    })
  }

  /** One per iteration: a new immediate runs in the next one. */
  #runNext() {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#runNext())
  }

  #addWork(ms: number) {
    this.#workedMs += ms
    if (this.#willReset) return
    this.#willReset = true
    setImmediate(() => {
      this.#workedMs = 0
      this.#willReset = false
    })
  }
}
