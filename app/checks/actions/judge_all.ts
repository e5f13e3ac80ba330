import { readStoredAttributes } from '#app/checks/actions/read_stored_attributes'
import type { AccessFacts } from '#app/checks/values/access_facts'
import type { StoredAttributes } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import { type Judgement, evaluateUnconditionally } from '#app/checks/values/judgement'

/** Judges permissions by facts that were read. Only conditions need another query. */
export async function judgeAll(
  scope: CheckScope,
  permissions: string[],
  facts: AccessFacts
): Promise<Judgement[]> {
  const questions = permissions.map((permission) => ({ scope, permission, facts }))
  return judgeEach(questions, async () => {
    const stored = await readStoredAttributes(scope)
    return () => stored
  })
}

export interface Question {
  scope: CheckScope
  permission: string
  facts: AccessFacts
}

/**
 * Judges questions about different users or resources.
 *
 * @param readStored reads what is stored about those that depend on conditions
 */
export async function judgeEach<Asked extends Question>(
  questions: Asked[],
  readStored: (conditional: Asked[]) => Promise<(question: Asked) => StoredAttributes>
): Promise<Judgement[]> {
  const decisions = questions.map(({ facts, permission }) =>
    evaluateUnconditionally(facts, permission)
  )
  const conditional = questions.filter((_, index) => decisions[index] === null)
  const storedOf = conditional.length > 0 ? await readStored(conditional) : null
  return questions.map((question, index) => {
    const { scope, permission, facts } = question
    const { from, until } = facts
    const decision = decisions[index]
    if (decision !== null) return { decision, conditional: null, from, until }
    const stored = storedOf!(question)
    return {
      decision,
      from,
      until,
      conditional: { scope, permission, facts: factsOf(permission, facts), stored },
    }
  })
}

/** Only these, so that a cached judgement holds no more than it needs. */
function factsOf(permission: string, facts: AccessFacts): AccessFacts {
  return { ...facts, permissions: new Map([[permission, facts.permissions.get(permission)!]]) }
}
