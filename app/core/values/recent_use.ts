const HALF_LIFE_MS = 1_000
/** Shorter uses count as none, so that few callers are remembered. */
const SHORTEST_MS = 1
const MOST_CALLERS = 1_000

export interface Use {
  ms: number
  /** When it counted that much: a `performance.now()` timestamp. */
  at: number
}

/** For how long callers have used something in the last seconds. */
export class RecentUse {
  readonly #halfLifeMs: number
  /** In the order of the last use. */
  readonly #uses = new Map<unknown, Use>()

  /** @param halfLifeMs after this many milliseconds, a use counts half */
  constructor(halfLifeMs = HALF_LIFE_MS) {
    this.#halfLifeMs = halfLifeMs
  }

  add(caller: unknown, ms: number, at = performance.now()) {
    const total = this.of(caller, at) + ms
    this.#uses.delete(caller)
    if (total < SHORTEST_MS) return
    this.#uses.set(caller, { ms: total, at })
    if (this.#uses.size > MOST_CALLERS) this.#uses.delete(this.#uses.keys().next().value)
  }

  /** @returns milliseconds, of which earlier ones count less */
  of(caller: unknown, at = performance.now()): number {
    const use = this.#uses.get(caller)
    return use === undefined ? 0 : this.decayed(use, at)
  }

  /** @returns what counts of a use at this time */
  decayed(use: Use, at = performance.now()): number {
    return use.ms * 0.5 ** ((at - use.at) / this.#halfLifeMs)
  }
}
