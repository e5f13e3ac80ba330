import type { CheckScope } from '#app/checks/values/check_scope'
import type { Judgement } from '#app/checks/values/judgement'

/** Judges permissions. All resolvers pass the same conformance tests. */
export interface CheckResolver {
  /**
   * Rejects if the database is unavailable: an error is never a denial.
   *
   * @param now for time windows, in milliseconds
   * @returns one judgement per permission, in the same order
   */
  judge(scope: CheckScope, permissions: string[], now: number): Promise<Judgement[]>
}
