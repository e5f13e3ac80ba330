import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import type { Problem, ProblemInit } from '#core/exceptions/problem'

/**
 * Requires that the query finds fewer rows than the limit. Unless the caller holds a lock until its
 * transaction ends, concurrent requests can exceed the limit by as many as they are.
 *
 * @throws the given problem, with the limit in its details
 */
export async function requireRoom(
  rows: ModelQueryBuilderContract<LucidModel, any>,
  limit: number,
  problem: new (init: ProblemInit) => Problem
) {
  // Models have no column of this name.
  const [{ $extras }] = await rows.count('* as row_count')
  if (Number($extras.row_count) >= limit) throw new problem({ details: { limit } })
}
