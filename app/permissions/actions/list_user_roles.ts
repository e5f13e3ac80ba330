import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type PlainRow, plainRows } from '#core/database/plain_rows'
import type Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'

/** A role assignment that is only shown. */
export type ShownUserRole = Omit<PlainRow<UserRole>, 'role'> & { role: PlainRow<Role> }

/** Includes assignments that are out of their time window. There can be hundreds. */
export async function listUserRoles(
  email: string,
  application: Application,
  client?: TransactionClientContract
): Promise<ShownUserRole[]> {
  const rows = await plainRows(
    UserRole.query({ client })
      .where('email', email)
      .whereIn('roleId', (roles) =>
        roles.from('roles').where('application_id', application.id).select('id')
      )
      .orderBy('roleId')
  )
  if (rows.length === 0) return []
  const ids = rows.map(({ roleId }) => roleId)
  const roles = await plainRows(Role.query({ client }).whereIn('id', ids))
  const rolesById = new Map(roles.map((role) => [role.id, role]))
  // A role that was deleted in between takes its assignments with it.
  return rows.flatMap((row) => {
    const role = rolesById.get(row.roleId)
    return role ? { ...row, role } : []
  })
}
