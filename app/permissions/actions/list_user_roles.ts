import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import UserRole from '#app/permissions/models/user_role'

/** Includes assignments that are out of their time window; `role` is loaded. */
export function listUserRoles(
  email: string,
  application: Application,
  client?: TransactionClientContract
) {
  return UserRole.query({ client })
    .where('email', email)
    .whereIn('roleId', (roles) =>
      roles.from('roles').where('application_id', application.id).select('id')
    )
    .preload('role')
    .orderBy('roleId')
}
