import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { transaction } from '#core/database/transaction'
import { type RequireFresh, unconditional } from '#core/http/etag'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import type { RoleFields } from '#app/permissions/actions/create_role'
import { RoleExists } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'
import { auditedRole } from '#app/permissions/transformers/audited_rows'

/** @throws ApplicationNotFound, RoleNotFound, Stale, RoleExists, PanelProtected */
export async function updateRole(
  appCode: string,
  id: number,
  fields: Partial<RoleFields>,
  requireFresh: RequireFresh<Role> = unconditional
): Promise<Role> {
  return mapUniqueViolation(RoleExists, () =>
    transaction(async (trx) => {
      const application = await Application.withCode(appCode, trx)
      const role = await Role.lock(application, id, trx)
      await requireFresh(() => role)
      if (fields.code !== undefined && fields.code !== role.code) {
        requireNotBuiltIn('role', appCode, role.code)
      }
      const before = auditedRole(role, appCode)
      await role.merge(fields).save()
      await recordChange(trx, updateOf(before, auditedRole(role, appCode)))
      return role
    })
  )
}
