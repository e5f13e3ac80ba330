import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { RoleExists, TooManyRoles } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'
import { auditedRole } from '#app/permissions/transformers/audited_rows'

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
      await recordChange(trx, creationOf(auditedRole(role, appCode)))
      return role
    })
  )
}
