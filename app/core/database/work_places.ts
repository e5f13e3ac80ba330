import { LRUCache } from 'lru-cache'
import { Overloaded } from '#core/exceptions/problems'
import { addWait, measureOwnTime } from '#core/database/own_time'
import { hasClientLeft, onClientLeaving } from '#core/http/leaving_client'
import { Deadline } from '#core/values/deadline'
import { FairQueue } from '#core/values/fair_queue'

/** Whoever's work took longer than allowed counts as slow for some time. */
const SLOW_FOR_MS = 60_000
const MAX_WAIT_MS = 5_000
const MOST_SLOW = 1_000
/** So that turns take account of work that takes seconds. */
const HALF_LIFE_MS = 30_000
/** Work that takes longer is followed by a rest. */
export const QUICK_MS = 50
/** A rest is twice as long as the work: one person can be two holders, a user and a key. */
const REST_FACTOR = 2
const LONGEST_REST_MS = 4_000

interface Options {
  capacity: number
  /** How many of the places slow holders can have. */
  forSlow: number | (() => number)
  /** Work that takes longer makes its holder slow: milliseconds. */
  slowMs: number | (() => number)
  /** Of the problem if the work cannot begin. */
  detail: string
}

interface Waiting {
  holder: string
  enter: () => void
}

interface Rest {
  /** Work that takes longer is not quick: milliseconds. */
  quickMs?: number
  /** The longest rest: milliseconds. */
  longestMs?: number
}

/** Gives a place back. */
export interface Place {
  /** @param ms how long the work took */
  recordTime(ms: number): void
  leave(): void
  /**
   * Leaves at once after quick work, and after a rest otherwise.
   *
   * @param ms how long the work took
   */
  leaveRested(ms: number, rest?: Rest): void
}

/**
 * Places for work that can take long, one for each holder. Next comes whoever has used places for
 * the least time lately. Some places are left to those whose work was quick, so that they do not
 * wait for slow work of others (conventions.md#turns-at-slow-work).
 */
export class WorkPlaces {
  readonly #options: Options
  readonly #waiting = new FairQueue<Waiting>(HALF_LIFE_MS)
  /** Holders of places, with when they began: a `performance.now()` timestamp. */
  readonly #holders = new Map<string, number>()
  readonly #slow = new LRUCache<string, true>({ max: MOST_SLOW })

  constructor(options: Options) {
    this.#options = options
  }

  /** @throws Overloaded if no place is free in time */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(holder, new Deadline(MAX_WAIT_MS))
    try {
      return await measureOwnTime(work, place.recordTime)
    } finally {
      place.leave()
    }
  }

  /** @throws Overloaded if no place is free by the deadline, or the client leaves */
  async enter(holder: string, deadline: Deadline): Promise<Place> {
    // Nobody would read the result.
    if (hasClientLeft()) throw this.#refusal()
    const askedAt = performance.now()
    await this.#turnOf(holder, deadline).finally(() => addWait(performance.now() - askedAt))
    const leave = () => {
      this.#holders.delete(holder)
      this.#serve()
    }
    return {
      recordTime: (ms) => {
        this.#waiting.recordUse({ group: holder }, ms)
        if (ms > this.#slowMs) this.#slow.set(holder, true, { ttl: Math.max(SLOW_FOR_MS, ms * 4) })
      },
      leave,
      leaveRested: (ms, { quickMs = QUICK_MS, longestMs = LONGEST_REST_MS } = {}) => {
        if (ms <= quickMs) leave()
        else setTimeout(leave, Math.min(REST_FACTOR * ms, longestMs)).unref()
      },
    }
  }

  #refusal() {
    const { detail } = this.#options
    return new Overloaded({ detail, headers: { 'retry-after': '5' } })
  }

  #turnOf(holder: string, deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        stopListening()
      }
      const enter = () => {
        stop()
        resolve()
      }
      const refuse = () => {
        stop()
        this.#waiting.remove(waiting, { group: holder })
        reject(this.#refusal())
      }
      const waiting = { holder, enter }
      const timer = setTimeout(refuse, deadline.remainingMs)
      const stopListening = onClientLeaving(refuse)
      this.#waiting.add(waiting, { group: holder })
      this.#serve()
    })
  }

  #serve() {
    while (this.#holders.size < this.#options.capacity) {
      const next = this.#waiting.take((holder) => this.#mayEnter(holder as string))
      if (!next) return
      this.#holders.set(next.holder, performance.now())
      next.enter()
    }
  }

  #mayEnter(holder: string): boolean {
    if (this.#holders.has(holder)) return false
    return !this.#slow.has(holder) || this.#slowHolders < valueOf(this.#options.forSlow)
  }

  get #slowMs(): number {
    return valueOf(this.#options.slowMs)
  }

  get #slowHolders(): number {
    const longAgo = performance.now() - this.#slowMs
    return [...this.#holders].filter(([holder, since]) => since < longAgo || this.#slow.has(holder))
      .length
  }
}

const valueOf = (option: number | (() => number)) =>
  typeof option === 'number' ? option : option()
