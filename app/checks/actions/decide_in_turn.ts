import { CooperativeQueue } from '#core/values/cooperative_queue'
import {
  NotCompiled,
  compileCondition,
  withoutCompiling,
} from '#app/permissions/conditions/condition'
import {
  type ConditionResults,
  type ResultsOf,
  conditionResults,
} from '#app/permissions/conditions/condition_results'
import type { Attributes } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import { type Judgement, decideNow } from '#app/checks/values/judgement'

// Shared by the process: otherwise each of many requests would take a whole turn of the event loop.
const evaluations = new CooperativeQueue()

/**
 * Evaluates conditions. Applications take turns, and so do the users of each.
 *
 * @param evaluate Called again after each condition that had to be compiled, with the same results
 *   for the conditions before it. It must make the same calls in the same order.
 */
export async function evaluateInTurn<Result>(
  { app, email }: Pick<CheckScope, 'app' | 'email'>,
  evaluate: (resultsOf: ResultsOf) => Result
): Promise<Result> {
  const attempt = repeatable(evaluate)
  let missing: NotCompiled | null = null
  const proceed = () => {
    if (missing !== null) compileCondition(missing.condition)
    return withoutCompiling(attempt)
  }
  for (;;) {
    const outcome = await evaluations.run(proceed, { group: app, member: email })
    if (!(outcome instanceof NotCompiled)) return outcome
    missing = outcome
  }
}

/** The first call for results gets the same ones at each attempt, and so does every other one. */
function repeatable<Result>(evaluate: (resultsOf: ResultsOf) => Result): () => Result {
  const known: ConditionResults[] = []
  return () => {
    let calls = 0
    return evaluate((variables, total) => {
      const results = known[calls] ?? conditionResults(variables, total)
      known[calls++] = results
      return results
    })
  }
}

/** @returns one decision per judgement, in the same order */
export async function decideAll(
  judgements: Judgement[],
  attributes: Attributes,
  now: number
): Promise<Decision[]> {
  return inTurns(judgements, (judgement, _, resultsOf) =>
    decideNow(judgement, attributes, now, resultsOf)
  )
}

/**
 * Decides judgements one after another. However many requests have conditions to evaluate, other
 * requests get turns in between.
 *
 * @param decide as for `evaluateInTurn`
 */
export async function inTurns<Result>(
  judgements: Judgement[],
  decide: (judgement: Judgement, index: number, resultsOf: ResultsOf) => Result
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, judgement] of judgements.entries()) {
    const { conditional } = judgement
    const work = (resultsOf: ResultsOf) => decide(judgement, index, resultsOf)
    results.push(
      conditional === null ? work(conditionResults) : await evaluateInTurn(conditional.scope, work)
    )
  }
  return results
}
