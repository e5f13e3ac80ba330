import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import type { Problem, ProblemInit } from '#core/exceptions/problem'

/**
 * Checks that one more row fits beside those of a query. Whoever adds one holds a lock until the
 * transaction ends, so that two requests at once do not both find the last place free.
 *
 * @throws the given problem, with the limit in its details
 */
export async function requireRoom(
  rows: ModelQueryBuilderContract<LucidModel, any>,
  limit: number,
  problem: new (init: ProblemInit) => Problem
) {
  const [{ $extras }] = await rows.count('* as total')
  if (Number($extras.total) >= limit) throw new problem({ details: { limit } })
}
