import { EntityInUse } from '#app/applications/exceptions'
import type Entity from '#app/applications/models/entity'
import { countEntityAssignments } from '#app/applications/queries/count_entity_assignments'

/** @throws EntityInUse */
export async function requireUnusedEntity(lockedEntity: Entity) {
  const assignments = await countEntityAssignments(lockedEntity, lockedEntity.$trx!)
  if (assignments > 0) throw new EntityInUse({ details: { assignments } })
}
