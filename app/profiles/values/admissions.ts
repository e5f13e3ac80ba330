import { LRUCache } from 'lru-cache'
import type { AccessScope } from '#core/events/access_changed'
import type { Account, Standing } from '#app/profiles/values/account'

const CAPACITY = 10_000
/** As long as a decision is remembered. */
const TTL_MS = 30_000

/** Cannot occur in an address or a subject. */
const SEPARATOR = '\u0000'

/**
 * Remembers in process memory which account may act as an address, so that a cached check of one's
 * own costs no statement. A change of the record drops it, as it drops decisions; an answer that
 * was being read meanwhile is not remembered.
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

  /** Asks the source, whatever is remembered. */
  async ask(account: Account): Promise<Standing> {
    const [generation, start] = [this.#generation, this.#now()]
    const standing = await this.#source(account)
    if (generation === this.#generation) {
      this.#standings.set(account.email + SEPARATOR + account.subject, standing, { start })
    }
    return standing
  }

  /**
   * Forgets people whose record may have changed; a change within one application leaves it as it
   * is.
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
