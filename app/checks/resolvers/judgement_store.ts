import { LRUCache } from 'lru-cache'
import type { AccessScope } from '#core/events/access_changed'
import { type Judgement, isCurrent } from '#app/checks/values/judgement'

export const CACHE_CAPACITY = 5_000
export const CACHE_TTL_MS = 30_000
/** Keeps a user from evicting the decisions of others. */
export const MAX_DECISIONS_PER_USER = CACHE_CAPACITY / 10

/** Never part of a value, because input with NUL is refused. */
export const KEY_SEPARATOR = '\u0000'

/** Cached judgements by key. A key starts with the e-mail address and the application. */
export class JudgementStore {
  readonly #judgements: LRUCache<string, Judgement>
  /** The keys of each user, in the order in which they expire. */
  readonly #keysByEmail = new Map<string, Set<string>>()

  /** @param now a clock for tests, in milliseconds */
  constructor(now?: () => number) {
    this.#judgements = new LRUCache({
      max: CACHE_CAPACITY,
      ttl: CACHE_TTL_MS,
      dispose: (_, key, reason) => {
        if (reason !== 'set') this.#release(key)
      },
      // Reads the system clock at most every 100 ms, but the clock of a test each time.
      ttlResolution: now ? 0 : 100,
      ...(now && { perf: { now } }),
    })
  }

  get size() {
    return this.#judgements.size
  }

  /** @param now a judgement does not outlive its time windows; in milliseconds */
  get(key: string, now: number) {
    const judgement = this.#judgements.get(key)
    return judgement && isCurrent(judgement, now) ? judgement : undefined
  }

  /** @param start when the age of the judgement begins */
  set(email: string, key: string, judgement: Judgement, start: number) {
    const keys = this.#keysByEmail.get(email) ?? new Set()
    // A key that is stored again expires last.
    keys.delete(key)
    if (keys.size >= MAX_DECISIONS_PER_USER) this.#judgements.delete(keys.values().next().value!)
    keys.add(key)
    this.#keysByEmail.set(email, keys)
    this.#judgements.set(key, judgement, { start })
  }

  invalidate(scopes: AccessScope[]) {
    if (scopes.some(coversEverything)) return this.#judgements.clear()
    for (const key of [...this.#judgements.keys()]) {
      const [email, application] = key.split(KEY_SEPARATOR, 2)
      if (scopes.some((scope) => covers(scope, email, application))) this.#judgements.delete(key)
    }
  }

  #release(key: string) {
    const email = key.slice(0, key.indexOf(KEY_SEPARATOR))
    const keys = this.#keysByEmail.get(email)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysByEmail.delete(email)
  }
}

function coversEverything({ email, application }: AccessScope) {
  return email === undefined && application === undefined
}

function covers(scope: AccessScope, email: string, application: string) {
  return (scope.email ?? email) === email && (scope.application ?? application) === application
}
