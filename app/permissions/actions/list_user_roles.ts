import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'

export function listUserRoles(
  email: string,
  application: Application,
  client?: TransactionClientContract
) {
  return Role.query({ client })
    .where('applicationId', application.id)
    .whereIn('id', (assigned) =>
      assigned.from('user_roles').where('email', email).select('role_id')
    )
    .orderBy('id')
}
