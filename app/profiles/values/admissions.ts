import { LRUCache } from 'lru-cache'
import { mayWrite } from '#core/database/writing_nothing'
import type { AccessScope } from '#core/events/access_changed'
import type { Account, Standing } from '#app/profiles/values/account'

const CAPACITY = 10_000
/** As long as a decision is cached. */
const TTL_MS = 30_000

/** Cannot occur in an address or a subject. */
const SEPARATOR = '\u0000'

/**
 * Caches in process memory which account may act as an address, so that a cached check needs no
 * query. A change of the record drops the entry, as it drops decisions; a result that was being
 * read at that time is not cached.
 */
export class Admissions {
  readonly #source: (account: Account) => Promise<Standing>
  readonly #standings: LRUCache<string, Standing>
  readonly #now: () => number
  #generation = 0

  constructor(
    source: (account: Account) => Promise<Standing>,
    { now = () => performance.now(), ttlResolution = 100 } = {}
  ) {
    this.#source = source
    this.#now = now
    this.#standings = new LRUCache({ max: CAPACITY, ttl: TTL_MS, ttlResolution, perf: { now } })
  }

  remembered({ email, subject }: Account): Standing | undefined {
    return this.#standings.get(email + SEPARATOR + subject)
  }

  /** Asks the source, ignoring the cache. */
  async ask(account: Account): Promise<Standing> {
    const [generation, start] = [this.#generation, this.#now()]
    const standing = await this.#source(account)
    // A binding that was rolled back must not be remembered.
    if (generation === this.#generation && mayWrite()) {
      this.#standings.set(account.email + SEPARATOR + account.subject, standing, { start })
    }
    return standing
  }

  /**
   * Drops people whose record may have changed; a change within one application does not affect it.
   */
  invalidate(scopes: AccessScope[]) {
    const records = scopes.filter(({ application }) => application === undefined)
    if (records.length === 0) return
    this.#generation++
    if (records.some(({ email }) => email === undefined)) return this.#standings.clear()
    const prefixes = records.map(({ email }) => email! + SEPARATOR)
    for (const key of [...this.#standings.keys()]) {
      if (prefixes.some((prefix) => key.startsWith(prefix))) this.#standings.delete(key)
    }
  }

  clear() {
    this.invalidate([{}])
  }
}
