import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { LRUCache } from 'lru-cache'

/** How long a change by another process may stay unnoticed. */
const TTL_MS = 1_000

/**
 * Caches rows that are read with every message but rarely change. Callers share the result and must
 * not modify it. Writes of this process must call `forgetAfter`.
 */
export class TtlCache<Key extends NonNullable<unknown>, Value> {
  readonly #load: (key: Key) => Promise<Value>
  /** Promises, so that a query still running when something changes is dropped as well. */
  readonly #answers: LRUCache<Key, Promise<Value>>

  constructor(load: (key: Key) => Promise<Value>, max = 1_000) {
    this.#load = load
    this.#answers = new LRUCache({ max, ttl: TTL_MS, ttlResolution: 10 })
  }

  get(key: Key): Promise<Value> {
    const known = this.#answers.get(key)
    if (known) return known
    const answer = this.#ask(key)
    this.#answers.set(key, answer)
    answer.catch(() => {
      if (this.#answers.peek(key) === answer) this.#answers.delete(key)
    })
    return answer
  }

  forgetAfter({ $trx }: { $trx?: TransactionClientContract }) {
    if ($trx) $trx.after('commit', () => this.#answers.clear())
    else this.#answers.clear()
  }

  /** Turns a query builder, which runs again for each `await`, into a promise. */
  async #ask(key: Key): Promise<Value> {
    return this.#load(key)
  }
}
