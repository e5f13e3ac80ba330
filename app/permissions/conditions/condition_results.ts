import { type ConditionResult, evaluateCondition } from '#app/permissions/conditions/condition'
import type { ConditionVariables } from '#app/permissions/conditions/condition_variables'
import { MAX_COST, spentCost } from '#app/permissions/conditions/cost'

/** What the conditions of one decision may cost together. */
const MAX_TOTAL_COST = 4 * MAX_COST

const TOO_COSTLY: ConditionResult = {
  failed: 'The conditions of this check together cost too much to evaluate',
}

/** What the conditions of a decision, or of several that belong together, have cost so far. */
export interface TotalCost {
  units: number
}

export type ConditionResults = (condition: string) => ConditionResult
export type ResultsOf = (variables: ConditionVariables, total?: TotalCost) => ConditionResults

/** Evaluates each condition of a decision at most once (permissions.md#cost-limit). */
export const conditionResults: ResultsOf = (variables, total = { units: 0 }) => {
  const known = new Map<string, ConditionResult>()
  return (condition) => {
    const found = known.get(condition)
    if (found) return found
    const result =
      total.units > MAX_TOTAL_COST ? TOO_COSTLY : evaluateCondition(condition, variables)
    if (result !== TOO_COSTLY) total.units += spentCost()
    known.set(condition, result)
    return result
  }
}
