import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Attributes } from '#app/checks/values/attributes'
import type { Decision } from '#app/checks/values/decision'
import { type Judgement, decideNow } from '#app/checks/values/judgement'

/** How long conditions are evaluated before other requests get a turn. */
const SLICE_MS = 5

/** @returns one decision per judgement, in the same order */
export async function decideAll(
  judgements: Judgement[],
  attributes: Attributes,
  now: number
): Promise<Decision[]> {
  return inTurns(judgements, (judgement) => decideNow(judgement, attributes, now))
}

/** Decides judgements one after another, and gives other requests turns in between. */
export async function inTurns<Result>(
  judgements: Judgement[],
  decide: (judgement: Judgement, index: number) => Result
): Promise<Result[]> {
  const results: Result[] = []
  let start = performance.now()
  for (const judgement of judgements) {
    results.push(decide(judgement, results.length))
    if (judgement.decision !== null || performance.now() - start < SLICE_MS) continue
    await nextTurn()
    start = performance.now()
  }
  return results
}
