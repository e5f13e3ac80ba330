import { DateTime } from 'luxon'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import Application from '#app/applications/models/application'
import { listUserRoles } from '#app/permissions/actions/list_user_roles'
import { lockUserRoles } from '#app/permissions/actions/lock_user_roles'
import type Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { findReferencedRoles } from '#app/permissions/queries/referenced_rows'

/** With `insertRows`. */
export const USER_ROLES: Destination = {
  table: 'user_roles',
  columns: { email: 'text', role_id: 'integer', created_at: 'timestamptz' },
}

/** @throws ApplicationNotFound, Stale, ValidationError for an unknown role id */
export async function replaceUserRoles(
  email: string,
  appCode: string,
  roleIds: number[],
  requireFresh: RequireFresh<Role[]> = unconditional
): Promise<Role[]> {
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockUserRoles(application, trx)
    await requireFresh(() => listUserRoles(email, application, trx))
    const wanted = [...new Set(roleIds)]
    await findReferencedRoles(application, wanted, trx)
    await UserRole.query({ client: trx })
      .where('email', email)
      .whereIn('roleId', (roles) =>
        roles.from('roles').where('application_id', application.id).select('id')
      )
      .delete()
    const createdAt = toDatabaseTimestamp(DateTime.utc())
    const rows = wanted.map((roleId) => ({ email, role_id: roleId, created_at: createdAt }))
    await insertRows(USER_ROLES, rows, trx)
    return listUserRoles(email, application, trx)
  })
}
