import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { toDatabase } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { serialize } from '#core/database/serialize'
import Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { requireRoles } from '#app/permissions/queries/application_members'

const USER_ROLES: Destination = {
  table: 'user_roles',
  columns: { email: 'text', role_id: 'integer', created_at: 'timestamptz' },
}

/**
 * Replaces the whole set of roles a person has in an application, in one transaction. There need be no user record.
 *
 * @throws ApplicationNotFound, ValidationError for an unknown role id
 */
export async function replaceUserRoles(
  email: string,
  appCode: string,
  roleIds: number[]
): Promise<Role[]> {
  return changingAccess(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await serialize(trx, `user_roles:${application.id}:${email}`)
    const wanted = [...new Set(roleIds)]
    await requireRoles(application, wanted, trx)
    await UserRole.query({ client: trx })
      .where('email', email)
      .whereIn('roleId', (roles) =>
        roles.from('roles').where('application_id', application.id).select('id')
      )
      .delete()
    const createdAt = toDatabase(DateTime.utc())
    const rows = wanted.map((roleId) => ({ email, role_id: roleId, created_at: createdAt }))
    await insertRows(USER_ROLES, rows, trx)
    return listUserRoles(email, application, trx)
  })
}

/** The roles a person has in an application, in the order of their ids. */
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
