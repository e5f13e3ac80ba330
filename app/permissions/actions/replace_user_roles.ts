import { DateTime } from 'luxon'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { Turns } from '#core/values/turns'
import Application from '#app/applications/models/application'
import { type ShownUserRole, listUserRoles } from '#app/permissions/actions/list_user_roles'
import { lockUserRoles } from '#app/permissions/actions/lock_user_roles'
import UserRole from '#app/permissions/models/user_role'
import { userRolesState } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'
import { findReferencedRoles } from '#app/permissions/queries/referenced_rows'
import {
  type TimeWindow,
  requireValidWindow,
  toWindow,
  windowColumns,
  windowState,
} from '#app/permissions/values/time_window'

/** With `insertRows`. */
export const USER_ROLES: Destination = {
  table: 'user_roles',
  columns: {
    email: 'text',
    role_id: 'integer',
    created_at: 'timestamptz',
    valid_from: 'timestamptz',
    valid_until: 'timestamptz',
  },
}

export interface RoleGrant extends Partial<TimeWindow> {
  roleId: number
}

interface Options {
  requireFresh?: RequireFresh<ShownUserRole[]>
  /** Where the request has the id of a role. */
  fieldAt?: (index: number) => string
}

/**
 * Roles that the user has already keep the time of their assignment.
 *
 * @throws ApplicationNotFound, Stale, InvalidWindow, ValidationError for an unknown role id
 */
export async function replaceUserRoles(
  email: string,
  appCode: string,
  grants: RoleGrant[],
  { requireFresh = unconditional, fieldAt }: Options = {}
): Promise<ShownUserRole[]> {
  // Queries of SQLite never wait, so hundreds of roles would leave others no turn.
  const turns = new Turns()
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockUserRoles(application, trx)
    await requireFresh(() => listUserRoles(email, application, trx))
    await findReferencedRoles(
      application,
      grants.map(({ roleId }) => roleId),
      trx,
      fieldAt
    )
    for (const [index, grant] of grants.entries()) {
      requireValidWindow(toWindow(grant), `roles.${index}`)
    }
    if (turns.isOver) await turns.next()
    const former = await listUserRoles(email, application, trx)
    if (turns.isOver) await turns.next()
    await UserRole.query({ client: trx })
      .where('email', email)
      .whereIn('roleId', (roles) =>
        roles.from('roles').where('application_id', application.id).select('id')
      )
      .delete()
    const held = new Map(
      former.filter((row) => windowState(row) !== 'ended').map((row) => [row.roleId, row.createdAt])
    )
    const now = DateTime.utc()
    const wanted = [...new Map(grants.map((grant) => [grant.roleId, grant])).values()]
    const rows = wanted.map((grant) => {
      const createdAt = toDatabaseTimestamp(held.get(grant.roleId) ?? now)
      return { email, role_id: grant.roleId, created_at: createdAt, ...windowColumns(grant) }
    })
    await insertRows(USER_ROLES, rows, trx)
    if (turns.isOver) await turns.next()
    const assigned = await listUserRoles(email, application, trx)
    if (turns.isOver) await turns.next()
    await recordChange(trx, {
      action: 'user.roles_replaced',
      application,
      target: userTarget(email),
      before: userRolesState(former),
      after: userRolesState(assigned),
      email,
    })
    return assigned
  })
}
