import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import type { RoleFields } from '#app/permissions/actions/create_role'
import { RoleExists } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'

/** @throws ApplicationNotFound, RoleNotFound, RoleExists, PanelProtected */
export async function updateRole(appCode: string, id: number, fields: Partial<RoleFields>) {
  const application = await Application.withCode(appCode)
  const role = await Role.of(application.id, id)
  if (fields.code !== undefined && fields.code !== role.code) {
    requireNotBuiltIn('role', appCode, role.code)
  }
  return mapUniqueViolation(RoleExists, () => role.merge(fields).save())
}
