const HALF_LIFE_MS = 1_000
/** Less counts as nothing, so that few callers are remembered. */
const LEAST = 1
const MOST_CALLERS = 1_000

export interface Use {
  amount: number
  /** When it counted that much: a `performance.now()` timestamp. */
  at: number
}

/** How much callers have used something lately, such as milliseconds, times or bytes. */
export class RecentUse {
  readonly #halfLifeMs: number
  /** In the order of the last use. */
  readonly #uses = new Map<unknown, Use>()

  /** @param halfLifeMs after this many milliseconds, a use counts half */
  constructor(halfLifeMs = HALF_LIFE_MS) {
    this.#halfLifeMs = halfLifeMs
  }

  add(caller: unknown, amount: number, at = performance.now()) {
    const total = this.of(caller, at) + amount
    this.#uses.delete(caller)
    if (total < LEAST) return
    this.#uses.set(caller, { amount: total, at })
    if (this.#uses.size > MOST_CALLERS) this.#uses.delete(this.#uses.keys().next().value)
  }

  /** @returns what was used, of which earlier uses count less */
  of(caller: unknown, at = performance.now()): number {
    const use = this.#uses.get(caller)
    return use === undefined ? 0 : this.decayed(use, at)
  }

  /** @returns what counts of a use at this time */
  decayed(use: Use, at = performance.now()): number {
    return use.amount * 0.5 ** ((at - use.at) / this.#halfLifeMs)
  }
}
