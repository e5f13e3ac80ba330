import { LRUCache } from 'lru-cache'
import { FairQueue, type Owner } from '#core/values/fair_queue'

const NOBODY: Owner = {}

/** A piece of work that takes longer would be all that happens if many of them were waiting. */
const LONG_MS = 20
const LONGEST_REST_MS = 250
/**
 * A long piece counts for this many times as long as it took, so that up to 20 owners of long
 * pieces still rest when their next turn comes.
 */
const REMEMBERED_FACTOR = 40
const MOST_REMEMBERED = 1_000

/**
 * Interleaves CPU-bound work with the event loop, however much of it is waiting: all of it together
 * takes one slice of each turn. Owners take turns. A long piece is followed by a rest of the same
 * length, which delays only owners who had long pieces lately.
 */
export class CooperativeQueue {
  readonly #sliceMs: number
  readonly #waiting = new FairQueue<() => void>()
  /** Groups that had long pieces lately. */
  readonly #long = new LRUCache<NonNullable<unknown>, true>({ max: MOST_REMEMBERED })
  #workedMs = 0
  #willReset = false
  /** A `performance.now()` timestamp. */
  #restsUntil = 0
  #nextSlice: NodeJS.Immediate | null = null
  #endOfRest: NodeJS.Timeout | null = null

  /** @param sliceMs milliseconds of work per turn, which the last piece may exceed */
  constructor(sliceMs = 5) {
    this.#sliceMs = sliceMs
  }

  async run<T>(work: () => T, owner = NOBODY): Promise<T> {
    if (this.#waiting.isEmpty && this.#hasTime && this.#mayRun(owner.group))
      return this.#measured(work, owner)
    return new Promise<T>((resolve, reject) => {
      const attempt = () => {
        try {
          resolve(this.#measured(work, owner))
        } catch (error) {
          reject(error)
        }
      }
      this.#waiting.add(attempt, owner)
      if (this.#mayRun(owner.group)) this.#scheduleSlice()
      else this.#awaitEndOfRest()
    })
  }

  get #hasTime(): boolean {
    return this.#workedMs < this.#sliceMs
  }

  get #restMs(): number {
    return this.#restsUntil - performance.now()
  }

  #mayRun(group: unknown): boolean {
    return this.#restMs <= 0 || !this.#long.has(keyOf(group))
  }

  /** One per turn: a new immediate runs in the next one. */
  #scheduleSlice() {
    this.#nextSlice ??= setImmediate(() => this.#runSlice())
  }

  #awaitEndOfRest() {
    this.#endOfRest ??= setTimeout(() => {
      this.#endOfRest = null
      this.#runSlice()
    }, this.#restMs)
  }

  #runSlice() {
    if (this.#nextSlice) clearImmediate(this.#nextSlice)
    this.#nextSlice = null
    this.#workedMs = 0
    while (this.#hasTime) {
      const attempt = this.#waiting.take((group) => this.#mayRun(group))
      if (!attempt) break
      attempt()
    }
    if (this.#waiting.isEmpty) return
    if (this.#hasTime) this.#awaitEndOfRest()
    else this.#scheduleSlice()
  }

  #measured<T>(work: () => T, owner: Owner): T {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      const ms = performance.now() - startedAt
      this.#waiting.recordUse(owner, ms)
      if (ms > LONG_MS) {
        this.#restsUntil = performance.now() + Math.min(ms, LONGEST_REST_MS)
        this.#long.set(keyOf(owner.group), true, { ttl: Math.ceil(ms * REMEMBERED_FACTOR) })
      }
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

const keyOf = (group: unknown) => group ?? NOBODY
