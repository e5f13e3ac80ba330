import { type TotalCost, conditionResults } from '#app/permissions/conditions/condition_results'
import { rankOf } from '#app/permissions/values/access_level'
import { evaluate } from '#app/checks/evaluate'
import type { AccessFacts } from '#app/checks/values/access_facts'
import {
  NO_ATTRIBUTES,
  type StoredAttributes,
  conditionVariables,
} from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import type { Pending } from '#app/checks/values/finding'
import { evaluateUnconditionally, holdsBy } from '#app/checks/values/judgement'

/** What a check decides before and after changes, if it gives no attributes. */
export interface Verdict {
  before: Decision
  after: Decision
  /** The attribute that a request could give to get another decision; null if there is none. */
  pending: MissingAttribute | null
}

export type MissingAttribute = Pick<Pending, 'condition' | 'missing'>

/** Positive if the level rises, negative if it falls. */
export const changeOf = ({ before, after }: Verdict): number =>
  rankOf(after.level) - rankOf(before.level)

/** Of one permission of a user. */
export interface BothFacts {
  before: AccessFacts
  after: AccessFacts
}

/** Null if it depends on conditions. */
export function judgeUnconditionally({ before, after }: BothFacts, permission: string) {
  const decidedBefore = evaluateUnconditionally(before, permission)
  if (decidedBefore === null) return null
  const decidedAfter = evaluateUnconditionally(after, permission)
  return decidedAfter && { before: decidedBefore, after: decidedAfter, pending: null }
}

interface Circumstances {
  scope: CheckScope
  stored: StoredAttributes
  /** In milliseconds. */
  now: number
  /** Of all conditions that were evaluated so far. */
  spent: TotalCost
}

/** Evaluates conditions as a check without attributes would. */
export function judge(facts: BothFacts, permission: string, circumstances: Circumstances): Verdict {
  const before = decide(facts.before, permission, circumstances)
  const after = decide(facts.after, permission, circumstances)
  return {
    before: before.decision,
    after: after.decision,
    pending: before.pending ?? after.pending,
  }
}

function decide(
  facts: AccessFacts,
  permission: string,
  { scope, stored, now, spent }: Circumstances
) {
  const variables = conditionVariables(scope, permission, { stored, given: NO_ATTRIBUTES, now })
  const cost: TotalCost = { units: 0 }
  const results = conditionResults(variables, cost)
  const holds = holdsBy(results)
  let pending: MissingAttribute | null = null
  const decision = evaluate(facts, permission, (condition, effect) => {
    const result = results(condition)
    if ('missing' in result) pending ??= { condition, missing: result.missing }
    return holds(condition, effect)
  })
  spent.units += cost.units
  return { decision, pending: pending as MissingAttribute | null }
}
