import { EntityInUse } from '#app/applications/exceptions'
import type Entity from '#app/applications/models/entity'
import { countAssignments } from '#app/applications/queries/entity_usage'

/**
 * @param entity locked in a transaction
 * @throws EntityInUse
 */
export async function requireUnusedEntity(entity: Entity) {
  const assignments = await countAssignments(entity, entity.$trx!)
  if (assignments > 0) throw new EntityInUse({ details: { assignments } })
}
