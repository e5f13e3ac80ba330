import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type Entity from '#app/applications/models/entity'

export async function countEntityAssignments(entity: Entity, client: QueryClientContract) {
  const [{ total }] = await client
    .from('resource_overrides')
    .join('permissions', 'permissions.id', 'resource_overrides.permission_id')
    .where('permissions.application_id', entity.applicationId)
    .where('resource_overrides.resource_type', entity.code)
    .count('* as total')
  return Number(total)
}
