import { recordChange } from '#core/audit/record_change'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { RoleExists, TooManyRoles } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'
import { roleResource } from '#app/permissions/transformers/role_resource'
import { roleTarget } from '#app/permissions/values/audit_targets'

export const MAX_ROLES = 500

export interface RoleFields {
  code: string
  name?: string | null
  description?: string | null
}

/** @throws ApplicationNotFound, RoleExists, TooManyRoles */
export async function createRole(appCode: string, fields: RoleFields): Promise<Role> {
  return mapUniqueViolation(RoleExists, () =>
    transaction(async (trx) => {
      const application = await Application.lockWithCode(appCode, trx)
      const applicationId = application.id
      const existing = Role.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_ROLES, TooManyRoles)
      const row = { name: null, description: null, ...fields, applicationId }
      const role = await Role.create(row, { client: trx })
      await recordChange(trx, {
        action: 'role.created',
        application,
        target: roleTarget(role),
        before: null,
        after: roleResource(role),
      })
      return role
    })
  )
}
