import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'

/** Decides permissions. All resolvers pass the same conformance tests. */
export interface CheckResolver {
  /**
   * Rejects if the database is unavailable: an error is never a denial.
   *
   * @returns one decision per permission, in the same order
   */
  decide(scope: CheckScope, permissions: string[]): Promise<Decision[]>
}
