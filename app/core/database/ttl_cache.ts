import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { LRUCache } from 'lru-cache'

/** How long another process may still see what this one has changed, in milliseconds. */
const TTL_MS = 1_000

/**
 * Answers of a query that is asked with every message while its rows hardly ever change. A write of this process must
 * say so (`forgetAfter`); one of another process shows within a second. Identical questions at the same time share one query.
 *
 * Answers are shared: nobody may change them.
 */
export class TtlCache<Key extends NonNullable<unknown>, Value> {
  readonly #load: (key: Key) => Promise<Value>
  /** Promises, so that an answer under way when something changes is forgotten too. */
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

  /** Forgets everything as soon as what was written to `row` can be seen. */
  forgetAfter({ $trx }: { $trx?: TransactionClientContract }) {
    if ($trx) $trx.after('commit', () => this.#answers.clear())
    else this.#answers.clear()
  }

  /** Query builders are only asked when they are awaited, and then again each time: hence a promise of our own. */
  async #ask(key: Key): Promise<Value> {
    return this.#load(key)
  }
}
