import { LRUCache } from 'lru-cache'
import type { AccessScope } from '#core/events/access_changed'

const CAPACITY = 10_000
/** The same as that of cached decisions. */
const TTL_MS = 30_000

/**
 * Caches rows until they change, but not that a row is missing, so that a new one is found
 * immediately. Results read during a change are not remembered.
 */
export class RowCache<Value extends NonNullable<unknown>> {
  readonly #values = new LRUCache<string, Value>({ max: CAPACITY, ttl: TTL_MS })
  readonly #isChangedBy: (scope: AccessScope, key: string) => boolean
  #generation = 0

  constructor(isChangedBy: (scope: AccessScope, key: string) => boolean) {
    this.#isChangedBy = isChangedBy
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)
  }

  /** Bypasses the cache. */
  async load(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const [generation, start] = [this.#generation, performance.now()]
    const value = await find()
    if (value !== undefined && generation === this.#generation) {
      this.#values.set(key, value, { start })
    }
    return value
  }

  invalidate(scopes: AccessScope[]) {
    this.#generation++
    for (const key of [...this.#values.keys()]) {
      if (scopes.some((scope) => this.#isChangedBy(scope, key))) this.#values.delete(key)
    }
  }
}
