import { RecentUse } from '#core/values/recent_use'

type Attempt = () => void

/**
 * Interleaves CPU-bound work with the event loop, however much of it is waiting: all of it together
 * takes one slice of each turn. Next comes the work of the owner who has used the least time.
 */
export class CooperativeQueue {
  readonly #sliceMs: number
  /** Of each owner, in the order of arrival. */
  readonly #waiting = new Map<unknown, Attempt[]>()
  readonly #recentUse = new RecentUse()
  #workedMs = 0
  #willReset = false

  /** @param sliceMs milliseconds of work per turn, which the last piece may exceed */
  constructor(sliceMs = 5) {
    this.#sliceMs = sliceMs
  }

  /** @param owner for whom the work is done, only to tell owners apart */
  async run<T>(work: () => T, owner?: unknown): Promise<T> {
    if (this.#waiting.size === 0 && this.#hasTime) return this.#measured(work, owner)
    return new Promise<T>((resolve, reject) => {
      const attempt = () => {
        try {
          resolve(this.#measured(work, owner))
        } catch (error) {
          reject(error)
        }
      }
      if (this.#waiting.size === 0) setImmediate(() => this.#runSlice())
      const attempts = this.#waiting.get(owner)
      if (attempts) attempts.push(attempt)
      else this.#waiting.set(owner, [attempt])
    })
  }

  get #hasTime(): boolean {
    return this.#workedMs < this.#sliceMs
  }

  /** One per turn: a new immediate runs in the next one. */
  #runSlice() {
    this.#workedMs = 0
    while (this.#waiting.size > 0 && this.#hasTime) this.#takeNext()()
    if (this.#waiting.size > 0) setImmediate(() => this.#runSlice())
  }

  #takeNext(): Attempt {
    const owner = this.#nextOwner()
    const attempts = this.#waiting.get(owner)!
    const next = attempts.shift()!
    // Goes to the end, so that owners with equal use alternate.
    this.#waiting.delete(owner)
    if (attempts.length > 0) this.#waiting.set(owner, attempts)
    return next
  }

  #nextOwner(): unknown {
    let next: unknown
    let least = Infinity
    for (const owner of this.#waiting.keys()) {
      const used = this.#recentUse.of(owner)
      if (used < least) [next, least] = [owner, used]
    }
    return next
  }

  #measured<T>(work: () => T, owner: unknown): T {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      const now = performance.now()
      this.#recentUse.add(owner, now - startedAt, now)
      this.#addWork(now - startedAt)
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
