import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'

/**
 * Answers permission questions. Resolvers chain, the cheapest first; each gives the same answers (one conformance
 * suite runs against all of them).
 */
export interface CheckResolver {
  /** The decisions in the order of `permissions`. Rejects when the database cannot be asked: an error is never a "no". */
  decide(scope: CheckScope, permissions: string[]): Promise<Decision[]>
}
