import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import type { Problem, ProblemInit } from '#core/exceptions/problem'

/**
 * Requires that the query finds fewer rows than the limit. The caller must hold a lock until its
 * transaction ends, so that two concurrent requests cannot both take the last place.
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
