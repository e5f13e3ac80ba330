import { readStoredAttributes } from '#app/checks/actions/read_stored_attributes'
import type { AccessFacts } from '#app/checks/values/access_facts'
import type { CheckScope } from '#app/checks/values/check_scope'
import { type Judgement, evaluateUnconditionally } from '#app/checks/values/judgement'

/** Judges permissions by facts that were read. Only conditions need another query. */
export async function judgeAll(
  scope: CheckScope,
  permissions: string[],
  facts: AccessFacts
): Promise<Judgement[]> {
  const { from, until } = facts
  const decisions = permissions.map((permission) => evaluateUnconditionally(facts, permission))
  const stored = decisions.includes(null) ? await readStoredAttributes(scope) : null
  return permissions.map((permission, index) => {
    const decision = decisions[index]
    if (decision !== null) return { decision, conditional: null, from, until }
    const conditional = {
      scope,
      permission,
      facts: factsOf(permission, facts),
      stored: stored!,
    }
    return { decision, conditional, from, until }
  })
}

/** Only these, so that a cached judgement holds no more than it needs. */
function factsOf(permission: string, facts: AccessFacts): AccessFacts {
  return { ...facts, permissions: new Map([[permission, facts.permissions.get(permission)!]]) }
}
