import type { ConditionResult } from '#app/permissions/conditions/condition'
import { type ResultsOf, conditionResults } from '#app/permissions/conditions/condition_results'
import { type Holds, evaluate } from '#app/checks/evaluate'
import type { AccessFacts } from '#app/checks/values/access_facts'
import {
  type Attributes,
  type StoredAttributes,
  conditionVariables,
} from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'

/**
 * What the stored data says about a check: a decision or, if conditions matter, what is needed to
 * decide once the attributes are known.
 */
export interface Judgement {
  /** Null if it depends on conditions. */
  readonly decision: Decision | null
  readonly conditional: ConditionalJudgement | null
  /** It holds from the time of the check until a time window begins or ends; in milliseconds. */
  readonly from: number
  readonly until: number
}

export interface ConditionalJudgement {
  scope: CheckScope
  permission: string
  facts: AccessFacts
  stored: StoredAttributes
}

/** @returns a decision, or null if it depends on conditions */
export function evaluateUnconditionally(facts: AccessFacts, permission: string): Decision | null {
  let asked = false
  const decision = evaluate(facts, permission, () => {
    asked = true
    return false
  })
  return asked ? null : decision
}

export function decideNow(
  { decision, conditional }: Judgement,
  given: Attributes,
  now: number,
  resultsOf: ResultsOf = conditionResults
): Decision {
  if (conditional === null) return decision!
  const { scope, permission, facts, stored } = conditional
  const variables = conditionVariables(scope, permission, { stored, given, now })
  return evaluate(facts, permission, holdsBy(resultsOf(variables)))
}

/** A condition that cannot be evaluated holds for denials only (checks.md#conditions-in-checks). */
export function holdsBy(resultOf: (condition: string) => ConditionResult): Holds {
  return (condition, effect) => {
    const result = resultOf(condition)
    return 'value' in result ? result.value : effect === 'deny'
  }
}

export function isCurrent({ from, until }: Judgement, now: number): boolean {
  return from <= now && now < until
}

/** Whether the decision can become another one without a change. */
export function isLimited({ decision, until }: Judgement): boolean {
  return decision === null || until < Infinity
}
