import type { AccessScope } from '#core/events/access_changed'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import { DecisionStore, SEPARATOR } from '#app/checks/resolvers/decision_store'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'

/**
 * Remembers decisions, "no" included, in process memory. Identical misses at the same time share
 * one evaluation, and one that began before an invalidation is never stored after it. Decisions
 * about permissions that no application defines are shared while they are computed but not stored,
 * because anybody could invent any number of them.
 */
export class CachedResolver implements CheckResolver {
  readonly #source: CheckResolver
  readonly #decisions: DecisionStore
  readonly #underWay = new Map<string, Promise<Decision>>()
  readonly #now: () => number
  /** Counts invalidations: an evaluation may be stored only when none came after it began. */
  #generation = 0
  /** Decisions asked for so far that were remembered, and those that were not. */
  hits = 0
  misses = 0

  constructor(source: CheckResolver, options: { now?: () => number } = {}) {
    this.#source = source
    this.#now = options.now ?? (() => performance.now())
    this.#decisions = new DecisionStore(options.now)
  }

  /** What is remembered about one permission: most questions are that one, and it need not wait. */
  remembered(scope: CheckScope, permission: string): Decision | undefined {
    const decision = this.#decisions.get(keyOf(scope, permission))
    if (decision !== undefined) this.hits++
    return decision
  }

  async decide(scope: CheckScope, permissions: string[]): Promise<Decision[]> {
    const keys = keysOf(scope, permissions)
    const known: Decision[] = []
    for (const key of keys) {
      const decision = this.#decisions.get(key)
      if (decision === undefined) return this.#waitFor(scope, permissions, keys)
      known.push(decision)
    }
    this.hits += known.length
    // Most often there is nothing to wait for, and waiting has its price for each of many decisions.
    return known
  }

  /** Forgets what a change may have altered. Evaluations under way are finished for their askers and then dropped. */
  invalidate(scopes: AccessScope[]) {
    this.#generation++
    this.#underWay.clear()
    this.#decisions.forget(scopes)
  }

  clear() {
    this.invalidate([{}])
  }

  /** Number of remembered decisions. */
  get size() {
    return this.#decisions.size
  }

  /** Known decisions, those under way, and one evaluation for the rest. */
  #waitFor(scope: CheckScope, permissions: string[], keys: string[]): Promise<Decision[]> {
    const known = keys.map((key) => this.#decisions.get(key) ?? this.#underWay.get(key))
    const missing = new Map<string, string>()
    for (const [index, key] of keys.entries()) {
      if (known[index] === undefined) missing.set(permissions[index], key)
    }
    this.misses += missing.size
    this.hits += keys.length - missing.size
    if (missing.size > 0) this.#evaluate(scope, missing)
    return Promise.all(keys.map((key, index) => known[index] ?? this.#underWay.get(key)!))
  }

  /** Starts one evaluation for all missing permissions and lets other askers join it. */
  #evaluate(scope: CheckScope, missing: Map<string, string>) {
    const generation = this.#generation
    const start = this.#now()
    const permissions = [...missing.keys()]
    const evaluation = this.#source.decide(scope, permissions)
    permissions.forEach((permission, index) => {
      const key = missing.get(permission)!
      const decision = evaluation
        .then((decisions) => {
          const made = decisions[index]
          // The age counts from the reading of the facts, not from its end.
          if (generation === this.#generation && !made.undefinedPermission) {
            this.#decisions.set(scope.email, key, made, start)
          }
          return made
        })
        .finally(() => {
          if (this.#underWay.get(key) === decision) this.#underWay.delete(key)
        })
      this.#underWay.set(key, decision)
    })
  }
}

function keysOf(scope: CheckScope, permissions: string[]) {
  return permissions.map((permission) => keyOf(scope, permission))
}

function keyOf({ email, app, resourceType, resourceId }: CheckScope, permission: string) {
  return `${email}${SEPARATOR}${app}${SEPARATOR}${permission}${SEPARATOR}${resourceType}${SEPARATOR}${resourceId}`
}
