import type { AccessScope } from '#core/events/access_changed'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import { DecisionStore, KEY_SEPARATOR } from '#app/checks/resolvers/decision_store'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'

/**
 * Caches decisions in process memory, including denials. Identical concurrent misses share one
 * evaluation. An evaluation that started before an invalidation is never cached, and neither are
 * undefined permissions, because callers could invent any number of them.
 */
export class CachedResolver implements CheckResolver {
  readonly #source: CheckResolver
  readonly #decisions: DecisionStore
  readonly #pending = new Map<string, Promise<Decision>>()
  readonly #now: () => number
  /** Incremented by each invalidation. Decisions of an earlier generation are not cached. */
  #generation = 0
  hits = 0
  misses = 0

  constructor(source: CheckResolver, options: { now?: () => number } = {}) {
    this.#source = source
    this.#now = options.now ?? (() => performance.now())
    this.#decisions = new DecisionStore(options.now)
  }

  /** Returns a cached decision synchronously, for the frequent check of one permission. */
  findCached(scope: CheckScope, permission: string): Decision | undefined {
    const decision = this.#decisions.get(cacheKey(scope, permission))
    if (decision !== undefined) this.hits++
    return decision
  }

  async decide(scope: CheckScope, permissions: string[]): Promise<Decision[]> {
    const keys = cacheKeys(scope, permissions)
    const known: Decision[] = []
    for (const key of keys) {
      const decision = this.#decisions.get(key)
      if (decision === undefined) return this.#decideMissing(scope, permissions, keys)
      known.push(decision)
    }
    this.hits += known.length
    // All are cached, as in most cases, so there is no promise to await for each decision.
    return known
  }

  /**
   * Drops cached decisions. Pending evaluations still return to their callers, but are not cached.
   */
  invalidate(scopes: AccessScope[]) {
    this.#generation++
    this.#pending.clear()
    this.#decisions.invalidate(scopes)
  }

  clear() {
    this.invalidate([{}])
  }

  get size() {
    return this.#decisions.size
  }

  /** Uses cached decisions, joins pending ones, and evaluates the rest in one query. */
  #decideMissing(scope: CheckScope, permissions: string[], keys: string[]): Promise<Decision[]> {
    const known = keys.map((key) => this.#decisions.get(key) ?? this.#pending.get(key))
    const missing = new Map<string, string>()
    for (const [index, key] of keys.entries()) {
      if (known[index] === undefined) missing.set(permissions[index], key)
    }
    this.misses += missing.size
    this.hits += keys.length - missing.size
    if (missing.size > 0) this.#evaluate(scope, missing)
    return Promise.all(keys.map((key, index) => known[index] ?? this.#pending.get(key)!))
  }

  #evaluate(scope: CheckScope, missing: Map<string, string>) {
    const generation = this.#generation
    const start = this.#now()
    const permissions = [...missing.keys()]
    const evaluation = this.#source.decide(scope, permissions)
    permissions.forEach((permission, index) => {
      const key = missing.get(permission)!
      const decision = evaluation
        .then((decisions) => {
          const result = decisions[index]
          // The age counts from the start, when the facts were read.
          if (generation === this.#generation && !result.undefinedPermission) {
            this.#decisions.set(scope.email, key, result, start)
          }
          return result
        })
        .finally(() => {
          if (this.#pending.get(key) === decision) this.#pending.delete(key)
        })
      this.#pending.set(key, decision)
    })
  }
}

function cacheKeys(scope: CheckScope, permissions: string[]) {
  return permissions.map((permission) => cacheKey(scope, permission))
}

function cacheKey({ email, app, resourceType, resourceId }: CheckScope, permission: string) {
  return `${email}${KEY_SEPARATOR}${app}${KEY_SEPARATOR}${permission}${KEY_SEPARATOR}${resourceType}${KEY_SEPARATOR}${resourceId}`
}
