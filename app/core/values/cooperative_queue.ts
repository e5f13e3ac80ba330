import { FairQueue, type Owner } from '#core/values/fair_queue'

const NOBODY: Owner = {}

/**
 * Interleaves CPU-bound work with the event loop, however much of it is waiting: all of it together
 * takes one slice of each turn. Owners take turns.
 */
export class CooperativeQueue {
  readonly #sliceMs: number
  readonly #waiting = new FairQueue<() => void>()
  #workedMs = 0
  #willReset = false

  /** @param sliceMs milliseconds of work per turn, which the last piece may exceed */
  constructor(sliceMs = 5) {
    this.#sliceMs = sliceMs
  }

  async run<T>(work: () => T, owner = NOBODY): Promise<T> {
    if (this.#waiting.isEmpty && this.#hasTime) return this.#measured(work, owner)
    return new Promise<T>((resolve, reject) => {
      const attempt = () => {
        try {
          resolve(this.#measured(work, owner))
        } catch (error) {
          reject(error)
        }
      }
      if (this.#waiting.isEmpty) setImmediate(() => this.#runSlice())
      this.#waiting.add(attempt, owner)
    })
  }

  get #hasTime(): boolean {
    return this.#workedMs < this.#sliceMs
  }

  /** One per turn: a new immediate runs in the next one. */
  #runSlice() {
    this.#workedMs = 0
    while (!this.#waiting.isEmpty && this.#hasTime) this.#waiting.take()!()
    if (!this.#waiting.isEmpty) setImmediate(() => this.#runSlice())
  }

  #measured<T>(work: () => T, owner: Owner): T {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      const ms = performance.now() - startedAt
      this.#waiting.recordUse(owner, ms)
      this.#addWork(ms)
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
