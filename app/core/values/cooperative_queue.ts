/**
 * Interleaves CPU-bound work with the event loop, however much of it is waiting: all of it together
 * takes one slice of each turn.
 */
export class CooperativeQueue {
  readonly #sliceMs: number
  readonly #waiting: (() => void)[] = []
  #workedMs = 0
  #willReset = false

  /** @param sliceMs milliseconds of work per turn, which the last piece may exceed */
  constructor(sliceMs = 5) {
    this.#sliceMs = sliceMs
  }

  async run<T>(work: () => T): Promise<T> {
    if (this.#waiting.length === 0 && this.#workedMs < this.#sliceMs) return this.#measured(work)
    return new Promise<T>((resolve, reject) => {
      const attempt = () => {
        try {
          resolve(this.#measured(work))
        } catch (error) {
          reject(error)
        }
      }
      if (this.#waiting.push(attempt) === 1) setImmediate(() => this.#runSlice())
    })
  }

  /** One per turn: a new immediate runs in the next one. */
  #runSlice() {
    this.#workedMs = 0
    while (this.#waiting.length > 0 && this.#workedMs < this.#sliceMs) this.#waiting.shift()!()
    if (this.#waiting.length > 0) setImmediate(() => this.#runSlice())
  }

  #measured<T>(work: () => T): T {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      this.#addWork(performance.now() - startedAt)
    }
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
