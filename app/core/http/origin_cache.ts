import { setTimeout as pause } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** At this age, origins are reloaded in the background. */
const REFRESH_AFTER_MS = 15_000
/** At this age, requests wait for the reload, so other processes' changes show within 30 s. */
const EXPIRE_AFTER_MS = 28_000
/** How often to retry while the database is unavailable, and how long a request waits for it. */
const RETRY_AFTER_MS = 1_000

/** Caches the origins in the database, so that not every browser request needs a query. */
export class OriginCache {
  #origins: ReadonlySet<string> = new Set()
  #loadedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #loading?: Promise<void>

  constructor(
    private readonly load: () => Promise<Iterable<string>>,
    private readonly now: () => number = () => performance.now()
  ) {}

  has(origin: string): boolean {
    return this.#origins.has(origin)
  }

  /** Reloads the origins if they are old. Await the result, if any, before calling `has`. */
  loadIfStale(): Promise<unknown> | undefined {
    const age = this.now() - this.#loadedAt
    if (age < REFRESH_AFTER_MS) return undefined
    const loading = this.#reload()
    if (age < EXPIRE_AFTER_MS) return undefined
    return loading && Promise.race([loading, pause(RETRY_AFTER_MS, null, { ref: false })])
  }

  clearAfterCommit({ $trx }: { $trx?: TransactionClientContract }) {
    if ($trx) $trx.after('commit', () => this.clear())
    else this.clear()
  }

  clear() {
    this.#origins = new Set()
    this.#loadedAt = this.#triedAt = Number.NEGATIVE_INFINITY
    this.#loading = undefined
  }

  #reload() {
    if (this.#loading || this.now() - this.#triedAt < RETRY_AFTER_MS) return this.#loading
    this.#triedAt = this.now()
    const startedAt = this.now()
    const loading: Promise<void> = this.load()
      .then(
        (origins) => {
          // The cache was cleared in the meantime, so this result may be outdated.
          if (this.#loading !== loading) return
          this.#origins = new Set(origins)
          this.#loadedAt = startedAt
        },
        () => {} // Keeps the known origins; other queries report the database failure.
      )
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
    return (this.#loading = loading)
  }
}
