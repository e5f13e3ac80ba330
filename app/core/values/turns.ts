/** How long work goes on before everything else gets its turn, in milliseconds. */
const SLICE_MS = 5

/**
 * Lets pieces of work that need the processor take turns with everything else: however many are
 * waiting, the event loop gets round in between.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  /** How long pieces have worked in this round of the event loop. */
  #worked = 0
  #isCounting = false

  /** Does a piece of work: at once while there is time, else when it is its turn. */
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

  /** One piece in each round: an immediate that is set now comes in the next one. */
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
