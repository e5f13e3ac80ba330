import { ChangeBudget } from '#core/database/change_budget'
import type { Changer } from '#core/http/caller_name'

/** Each holds a connection until it is stored or undone. */
const largeChanges = new ChangeBudget({
  capacity: 5,
  forSlow: 2,
  detail: 'Too many large changes are in progress',
  blocksOnSqlite: true,
})

/**
 * Makes a change that can concern thousands of rows, or tries it out
 * (conventions.md#large-changes).
 *
 * @throws Overloaded if the change cannot begin in time
 */
export function inChangeBudget<T>(changer: Changer, change: () => Promise<T>): Promise<T> {
  return largeChanges.run(changer, change)
}

/** A shorter list does not delay others. */
const LARGE_LIST = 100

/**
 * Stores a list that callers send. Only long ones count as large changes
 * (conventions.md#large-changes).
 *
 * @throws Overloaded if a large change cannot begin in time
 */
export function inChangeBudgetIfLarge<T>(
  changer: Changer,
  length: number,
  change: () => Promise<T>
): Promise<T> {
  return length > LARGE_LIST ? inChangeBudget(changer, change) : change()
}
