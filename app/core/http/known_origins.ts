import { setTimeout as pause } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Read again behind the request that finds them so old. */
const REFRESH_AFTER_MS = 15_000
/** Not believed any more: what another process has changed shows within 30 seconds. */
const EXPIRE_AFTER_MS = 28_000
/** While the database is away, it is asked this often, and a request waits this long for it. */
const RETRY_AFTER_MS = 1_000

/**
 * The origins that are stored in the database, remembered so that no request of a browser, above all no preflight, costs
 * a query of its own.
 */
export class KnownOrigins {
  #origins: ReadonlySet<string> = new Set()
  #loadedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #loading?: Promise<void>

  /** @param now milliseconds of a clock that never jumps */
  constructor(
    private readonly load: () => Promise<Iterable<string>>,
    private readonly now: () => number = () => performance.now()
  ) {}

  has(origin: string): boolean {
    return this.#origins.has(origin)
  }

  /** What has to be waited for before `has` can be believed; undefined when there is nothing, as nearly always. */
  refreshed(): Promise<unknown> | undefined {
    const age = this.now() - this.#loadedAt
    if (age < REFRESH_AFTER_MS) return undefined
    const loading = this.#refresh()
    if (age < EXPIRE_AFTER_MS) return undefined
    return loading && Promise.race([loading, pause(RETRY_AFTER_MS, null, { ref: false })])
  }

  /** Forgets all of them once what was written to `row` can be seen. */
  forgetAfter({ $trx }: { $trx?: TransactionClientContract }) {
    if ($trx) $trx.after('commit', () => this.forget())
    else this.forget()
  }

  forget() {
    this.#origins = new Set()
    this.#loadedAt = this.#triedAt = Number.NEGATIVE_INFINITY
    this.#loading = undefined
  }

  #refresh() {
    if (this.#loading || this.now() - this.#triedAt < RETRY_AFTER_MS) return this.#loading
    this.#triedAt = this.now()
    const startedAt = this.now()
    const loading: Promise<void> = this.load()
      .then(
        (origins) => {
          // What was read before it was forgotten may lack what has changed.
          if (this.#loading !== loading) return
          this.#origins = new Set(origins)
          this.#loadedAt = startedAt
        },
        () => {} // Those known so far stay; the database says so itself to whoever needs it.
      )
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
    return (this.#loading = loading)
  }
}
