import { LRUCache } from 'lru-cache'
import { mayWrite } from '#core/database/writing_nothing'
import type { AccessScope } from '#core/events/access_changed'
import type { Account, AccountState } from '#app/profiles/values/account'

const CAPACITY = 10_000
/** The same as that of cached decisions. */
const TTL_MS = 30_000

/** Cannot occur in an address or a subject. */
const SEPARATOR = '\u0000'

/** Caches the states of accounts in memory. Results read while a record changes are not cached. */
export class AccountBindings {
  readonly #source: (account: Account) => Promise<AccountState>
  readonly #states: LRUCache<string, AccountState>
  readonly #now: () => number
  #generation = 0

  constructor(
    source: (account: Account) => Promise<AccountState>,
    { now = () => performance.now(), ttlResolution = 100 } = {}
  ) {
    this.#source = source
    this.#now = now
    this.#states = new LRUCache({ max: CAPACITY, ttl: TTL_MS, ttlResolution, perf: { now } })
  }

  get({ email, subject }: Account): AccountState | undefined {
    return this.#states.get(email + SEPARATOR + subject)
  }

  /** Bypasses the cache. */
  async load(account: Account): Promise<AccountState> {
    const [generation, start] = [this.#generation, this.#now()]
    const state = await this.#source(account)
    // A binding that was rolled back must not be cached.
    if (generation === this.#generation && mayWrite()) {
      this.#states.set(account.email + SEPARATOR + account.subject, state, { start })
    }
    return state
  }

  /** Ignores changes within one application: they do not affect the record. */
  invalidate(scopes: AccessScope[]) {
    const records = scopes.filter(({ application }) => application === undefined)
    if (records.length === 0) return
    this.#generation++
    if (records.some(({ email }) => email === undefined)) return this.#states.clear()
    const prefixes = records.map(({ email }) => email! + SEPARATOR)
    for (const key of [...this.#states.keys()]) {
      if (prefixes.some((prefix) => key.startsWith(prefix))) this.#states.delete(key)
    }
  }

  clear() {
    this.invalidate([{}])
  }
}
