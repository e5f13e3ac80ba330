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
  const decisions: Decision[] = []
  let start = performance.now()
  for (const judgement of judgements) {
    decisions.push(decideNow(judgement, attributes, now))
    if (judgement.decision !== null || performance.now() - start < SLICE_MS) continue
    await nextTurn()
    start = performance.now()
  }
  return decisions
}
