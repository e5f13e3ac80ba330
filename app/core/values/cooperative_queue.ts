import { FairQueue, type Owner } from '#core/values/fair_queue'

const NOBODY: Owner = {}

/** A piece of work that takes longer would be all that happens if many of them were waiting. */
const LONG_MS = 20
const LONGEST_REST_MS = 250

/**
 * Interleaves CPU-bound work with the event loop, however much of it is waiting: all of it together
 * takes one slice of each turn. Owners take turns.
 */
export class CooperativeQueue {
  readonly #sliceMs: number
  readonly #waiting = new FairQueue<() => void>()
  #workedMs = 0
  #willReset = false
  /** After a long piece, others get as much time. A `performance.now()` timestamp. */
  #restsUntil = 0

  /** @param sliceMs milliseconds of work per turn, which the last piece may exceed */
  constructor(sliceMs = 5) {
    this.#sliceMs = sliceMs
  }

  async run<T>(work: () => T, owner = NOBODY): Promise<T> {
    if (this.#waiting.isEmpty && this.#hasTime && this.#restMs <= 0)
      return this.#measured(work, owner)
    return new Promise<T>((resolve, reject) => {
      const attempt = () => {
        try {
          resolve(this.#measured(work, owner))
        } catch (error) {
          reject(error)
        }
      }
      if (this.#waiting.isEmpty) this.#scheduleSlice()
      this.#waiting.add(attempt, owner)
    })
  }

  get #hasTime(): boolean {
    return this.#workedMs < this.#sliceMs
  }

  get #restMs(): number {
    return this.#restsUntil - performance.now()
  }

  #scheduleSlice() {
    const ms = this.#restMs
    if (ms > 0) setTimeout(() => this.#runSlice(), ms)
    else setImmediate(() => this.#runSlice())
  }

  /** One per turn: a new immediate runs in the next one. */
  #runSlice() {
    this.#workedMs = 0
    while (!this.#waiting.isEmpty && this.#hasTime) this.#waiting.take()!()
    if (!this.#waiting.isEmpty) this.#scheduleSlice()
  }

  #measured<T>(work: () => T, owner: Owner): T {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      const ms = performance.now() - startedAt
      this.#waiting.recordUse(owner, ms)
      if (ms > LONG_MS) this.#restsUntil = performance.now() + Math.min(ms, LONGEST_REST_MS)
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
