import { LRUCache } from 'lru-cache'
import type { AccessScope } from '#core/events/access_changed'
import type { Decision } from '#app/checks/values/decision'

export const CACHE_CAPACITY = 5_000
export const CACHE_TTL_MS = 30_000
/** The most decisions about one person, so that nobody can evict those about others. */
export const PLACES_PER_PERSON = CACHE_CAPACITY / 10

/** Cannot occur in a part of the key, because all input with NUL is refused. */
export const SEPARATOR = '\u0000'

/**
 * The cached decisions of a process, by keys that begin with an e-mail address and an application.
 */
export class DecisionStore {
  readonly #decisions: LRUCache<string, Decision>
  /**
   * The keys of each person in the order they were stored, which is also the order they expire in.
   */
  readonly #keysOf = new Map<string, Set<string>>()

  /** @param now A clock of the caller's, in milliseconds */
  constructor(now?: () => number) {
    this.#decisions = new LRUCache({
      max: CACHE_CAPACITY,
      ttl: CACHE_TTL_MS,
      dispose: (_, key, reason) => {
        if (reason !== 'set') this.#release(key)
      },
      // A clock from a test is read every time; otherwise the time is read at most every 100 ms.
      ttlResolution: now ? 0 : 100,
      ...(now && { perf: { now } }),
    })
  }

  get size() {
    return this.#decisions.size
  }

  get(key: string) {
    return this.#decisions.get(key)
  }

  /** @param start When the decision was made; its age counts from this time */
  set(email: string, key: string, decision: Decision, start: number) {
    const keys = this.#keysOf.get(email) ?? new Set()
    // Stored again, it expires last.
    keys.delete(key)
    if (keys.size >= PLACES_PER_PERSON) this.#decisions.delete(keys.values().next().value!)
    keys.add(key)
    this.#keysOf.set(email, keys)
    this.#decisions.set(key, decision, { start })
  }

  forget(scopes: AccessScope[]) {
    if (scopes.some(coversEverything)) return this.#decisions.clear()
    for (const key of [...this.#decisions.keys()]) {
      const [email, application] = key.split(SEPARATOR, 2)
      if (scopes.some((scope) => covers(scope, email, application))) this.#decisions.delete(key)
    }
  }

  #release(key: string) {
    const email = key.slice(0, key.indexOf(SEPARATOR))
    const keys = this.#keysOf.get(email)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOf.delete(email)
  }
}

function coversEverything({ email, application }: AccessScope) {
  return email === undefined && application === undefined
}

function covers(scope: AccessScope, email: string, application: string) {
  return (scope.email ?? email) === email && (scope.application ?? application) === application
}
