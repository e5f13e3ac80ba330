import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import ResourceOverride from '#app/permissions/models/resource_override'

export function userOverrides(
  email: string,
  application: Application,
  client?: TransactionClientContract
) {
  return ResourceOverride.query({ client })
    .where('email', email)
    .whereIn('permissionId', (permissions) =>
      permissions.from('permissions').where('application_id', application.id).select('id')
    )
}
