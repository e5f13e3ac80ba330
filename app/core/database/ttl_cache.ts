import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { LRUCache } from 'lru-cache'

/** How long it can take to notice a change by another process. */
const TTL_MS = 1_000

/**
 * Caches rows that are read with every message but rarely change. Callers share the result and must
 * not modify it. Writes of this process must clear it.
 */
export class TtlCache<Key extends NonNullable<unknown>, Value> {
  readonly #load: (key: Key) => Promise<Value>
  /** Promises, so that a query still running when something changes is dropped as well. */
  readonly #results: LRUCache<Key, Promise<Value>>

  constructor(load: (key: Key) => Promise<Value>, max = 1_000) {
    this.#load = load
    this.#results = new LRUCache({ max, ttl: TTL_MS, ttlResolution: 10 })
  }

  get(key: Key): Promise<Value> {
    const cached = this.#results.get(key)
    if (cached) return cached
    const result = this.#query(key)
    this.#results.set(key, result)
    result.catch(() => {
      if (this.#results.peek(key) === result) this.#results.delete(key)
    })
    return result
  }

  clearAfterCommit({ $trx }: { $trx?: TransactionClientContract }) {
    if ($trx) $trx.after('commit', () => this.#results.clear())
    else this.#results.clear()
  }

  /** Turns a query builder, which runs again for each `await`, into a promise. */
  async #query(key: Key): Promise<Value> {
    return this.#load(key)
  }
}
