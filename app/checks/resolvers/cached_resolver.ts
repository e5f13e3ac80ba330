import type { AccessScope } from '#core/events/access_changed'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import { JudgementStore, KEY_SEPARATOR } from '#app/checks/resolvers/judgement_store'
import type { CheckScope } from '#app/checks/values/check_scope'
import { type Judgement, isCurrent } from '#app/checks/values/judgement'

/**
 * Caches judgements in process memory, including denials. Identical concurrent misses share one
 * evaluation. An evaluation that started before an invalidation is never cached, and neither are
 * undefined permissions, because callers could invent any number of them.
 */
export class CachedResolver implements CheckResolver {
  readonly #source: CheckResolver
  readonly #judgements: JudgementStore
  readonly #pending = new Map<string, Evaluation>()
  readonly #elapsed: () => number
  /** Incremented by each invalidation. Judgements of an earlier generation are not cached. */
  #generation = 0
  hits = 0
  misses = 0

  constructor(source: CheckResolver, options: { now?: () => number } = {}) {
    this.#source = source
    this.#elapsed = options.now ?? (() => performance.now())
    this.#judgements = new JudgementStore(options.now)
  }

  /** Returns a cached judgement synchronously, for the frequent check of one permission. */
  findCached(scope: CheckScope, permission: string, now: number): Judgement | undefined {
    const judgement = this.#judgements.get(cacheKey(scope, permission), now)
    if (judgement !== undefined) this.hits++
    return judgement
  }

  /** Whether `judge` would answer from memory; counts neither hits nor misses. */
  areCached(scope: CheckScope, permissions: string[], now: number): boolean[] {
    return cacheKeys(scope, permissions).map((key) => this.#judgements.get(key, now) !== undefined)
  }

  /** Whether a decision is cached that depends on no condition; counts neither hits nor misses. */
  isDecided(scope: CheckScope, permission: string, now: number): boolean {
    return !!this.#judgements.get(cacheKey(scope, permission), now)?.decision
  }

  async judge(scope: CheckScope, permissions: string[], now: number): Promise<Judgement[]> {
    const keys = cacheKeys(scope, permissions)
    const known: Judgement[] = []
    for (const key of keys) {
      const judgement = this.#judgements.get(key, now)
      if (judgement === undefined) return this.#judgeMissing(scope, permissions, keys, now)
      known.push(judgement)
    }
    this.hits += known.length
    // All are cached, as in most cases, so there is no promise to await for each decision.
    return known
  }

  /**
   * Drops cached judgements. Pending evaluations still return to their callers, but are not cached.
   */
  invalidate(scopes: AccessScope[]) {
    this.#generation++
    this.#pending.clear()
    this.#judgements.invalidate(scopes)
  }

  clear() {
    this.invalidate([{}])
  }

  get size() {
    return this.#judgements.size
  }

  /** Uses cached judgements, joins pending ones, and evaluates the rest in one query. */
  async #judgeMissing(
    scope: CheckScope,
    permissions: string[],
    keys: string[],
    now: number
  ): Promise<Judgement[]> {
    const known = keys.map((key) => this.#judgements.get(key, now))
    const missing = new Map<string, string>()
    for (const [index, key] of keys.entries()) {
      if (known[index] === undefined && !this.#pending.has(key))
        missing.set(key, permissions[index])
    }
    this.misses += missing.size
    this.hits += keys.length - missing.size
    if (missing.size > 0) this.#evaluate(scope, missing, now)
    const evaluations = keys.map((key, index) =>
      known[index] === undefined ? this.#pending.get(key)! : undefined
    )
    // One promise for all permissions of a request, because 100 would cost as much as the query.
    await Promise.all(new Set(evaluations.map((evaluation) => evaluation?.done)))
    const found = keys.map((key, index) => known[index] ?? evaluations[index]!.judgements.get(key)!)
    // A time window began or ended between the start of a pending evaluation and this check.
    if (!found.every((judgement) => isCurrent(judgement, now)))
      return this.judge(scope, permissions, now)
    return found
  }

  /** @param missing permissions by key */
  #evaluate(scope: CheckScope, missing: Map<string, string>, now: number) {
    const generation = this.#generation
    const start = this.#elapsed()
    const keys = [...missing.keys()]
    const judgements = new Map<string, Judgement>()
    const done = this.#source
      .judge(scope, [...missing.values()], now)
      .then((found) => {
        for (const [index, key] of keys.entries()) {
          const judgement = found[index]
          judgements.set(key, judgement)
          // The age counts from the start, when the facts were read.
          if (generation === this.#generation && !judgement.decision?.undefinedPermission) {
            this.#judgements.set(scope.email, key, judgement, start)
          }
        }
      })
      .finally(() => {
        for (const key of keys) {
          if (this.#pending.get(key) === evaluation) this.#pending.delete(key)
        }
      })
    const evaluation: Evaluation = { judgements, done }
    for (const key of keys) this.#pending.set(key, evaluation)
  }
}

/** Of permissions that are being judged together. */
interface Evaluation {
  /** By key, once it is done. */
  judgements: Map<string, Judgement>
  done: Promise<void>
}

function cacheKeys(scope: CheckScope, permissions: string[]) {
  return permissions.map((permission) => cacheKey(scope, permission))
}

function cacheKey({ email, app, resourceType, resourceId }: CheckScope, permission: string) {
  return `${email}${KEY_SEPARATOR}${app}${KEY_SEPARATOR}${permission}${KEY_SEPARATOR}${resourceType}${KEY_SEPARATOR}${resourceId}`
}
