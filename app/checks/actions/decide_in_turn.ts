import { CooperativeQueue } from '#core/values/cooperative_queue'
import type { Attributes } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import { type Judgement, decideNow } from '#app/checks/values/judgement'

// Shared by the process: otherwise each of many requests would take a whole turn of the event loop.
const evaluations = new CooperativeQueue()

/** Evaluates conditions. Applications take turns, and so do the users of each. */
export function evaluateInTurn<Result>(
  { app, email }: Pick<CheckScope, 'app' | 'email'>,
  evaluate: () => Result
): Promise<Result> {
  return evaluations.run(evaluate, { group: app, member: email })
}

/** @returns one decision per judgement, in the same order */
export async function decideAll(
  judgements: Judgement[],
  attributes: Attributes,
  now: number
): Promise<Decision[]> {
  return inTurns(judgements, (judgement) => decideNow(judgement, attributes, now))
}

/**
 * Decides judgements one after another. However many requests have conditions to evaluate, other
 * requests get turns in between.
 */
export async function inTurns<Result>(
  judgements: Judgement[],
  decide: (judgement: Judgement, index: number) => Result
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, judgement] of judgements.entries()) {
    const { conditional } = judgement
    const work = () => decide(judgement, index)
    results.push(conditional === null ? work() : await evaluateInTurn(conditional.scope, work))
  }
  return results
}
