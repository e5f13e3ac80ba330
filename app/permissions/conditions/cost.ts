/**
 * What one evaluation may cost, in units of about 10 ns. Conditions on a few attributes cost less
 * than 1,000.
 */
export const MAX_COST = 300_000

/** Ends an evaluation, whatever it is inside of. */
export class CostLimitExceeded extends Error {}

// One instance, without the cost of a stack trace.
const exceeded = new CostLimitExceeded('The condition costs too much to evaluate')

let spent = 0

/** Evaluations never wait, so there is only one at a time. */
export function startCounting() {
  spent = 0
}

/** The cost of the evaluation so far. */
export function spentCost(): number {
  return spent
}

/** @throws CostLimitExceeded */
export function charge(units: number) {
  spent += units
  if (spent > MAX_COST) throw exceeded
}
