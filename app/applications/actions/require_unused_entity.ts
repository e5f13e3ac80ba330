import { EntityInUse } from '#app/applications/exceptions'
import type Entity from '#app/applications/models/entity'
import { countAssignments } from '#app/applications/queries/entity_usage'

/** @throws EntityInUse */
export async function requireUnusedEntity(lockedEntity: Entity) {
  const assignments = await countAssignments(lockedEntity, lockedEntity.$trx!)
  if (assignments > 0) throw new EntityInUse({ details: { assignments } })
}
