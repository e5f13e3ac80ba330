import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import {
  type ConditionResults,
  type ResultsOf,
  conditionResults,
} from '#app/permissions/conditions/condition_results'
import { evaluate } from '#app/checks/evaluate'
import { type Attributes, conditionVariables } from '#app/checks/values/attributes'
import type { Decision } from '#app/checks/values/decision'
import { type ConditionalJudgement, type Judgement, holdsBy } from '#app/checks/values/judgement'

/** The result of a search for one check. */
export interface Finding {
  decision: Decision
  /** Whether the check is allowed. */
  allowed: boolean
  /** Why the check could be allowed with more attributes; null if it is allowed, or could not. */
  pending: Pending | null
}

/** See checks.md#conditional-results. */
export interface Pending {
  /** If the conditions that need attributes decide in the user's favour. */
  decision: Decision
  /** The first of these conditions, in CEL. */
  condition: string
  /** The attribute that it needs, such as `resource.properties.status`. */
  missing: string
}

export function findNow(
  { decision, conditional }: Judgement,
  { given, now, level }: { given: Attributes; now: number; level: AccessLevel | undefined },
  resultsOf: ResultsOf = conditionResults
): Finding {
  if (conditional === null) {
    return { decision: decision!, allowed: satisfies(decision!.level, level), pending: null }
  }
  const { scope, permission, facts, stored } = conditional
  const results = resultsOf(conditionVariables(scope, permission, { stored, given, now }))
  const made = evaluate(facts, permission, holdsBy(results))
  const allowed = satisfies(made.level, level)
  return {
    decision: made,
    allowed,
    pending: allowed ? null : findPending(conditional, results, level),
  }
}

/**
 * More grants never lower a level, so the best is that all of them hold. Only an override can
 * decide either way: it takes precedence over the roles.
 */
function findPending(
  { facts, permission }: ConditionalJudgement,
  results: ConditionResults,
  level: AccessLevel | undefined
): Pending | null {
  const override = facts.permissions.get(permission)?.override?.condition
  for (const overrideHolds of [true, false]) {
    let first: { condition: string; missing: string } | undefined
    const decision = evaluate(facts, permission, (condition, effect) => {
      const result = results(condition)
      if (!('missing' in result)) return holdsBy(results)(condition, effect)
      first ??= { condition, missing: result.missing }
      return condition === override ? overrideHolds : true
    })
    if (first && satisfies(decision.level, level)) return { decision, ...first }
  }
  return null
}
