const SLICE_MS = 5

/** Interleaves CPU-bound work with the event loop, however much of it is waiting. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #worked = 0
  #isCounting = false

  async run<T>(work: () => T): Promise<T> {
    if (this.#waiting.length > 0 || this.#worked >= SLICE_MS) await this.#turn()
    const began = performance.now()
    try {
      return work()
    } finally {
      this.#count(performance.now() - began)
    }
  }

  #turn() {
    return new Promise<void>((go) => {
      if (this.#waiting.push(go) === 1) setImmediate(() => this.#next())
    })
  }

  /** One per iteration: a new immediate runs in the next one. */
  #next() {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#next())
  }

  #count(ms: number) {
    this.#worked += ms
    if (this.#isCounting) return
    this.#isCounting = true
    setImmediate(() => {
      this.#worked = 0
      this.#isCounting = false
    })
  }
}
