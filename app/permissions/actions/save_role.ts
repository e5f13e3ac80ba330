import { changingAccess } from '#core/database/changing_access'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import Application from '#app/applications/models/application'
import { requireNoPanelPart } from '#app/applications/values/panel'
import { RoleExists, TooManyRoles } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'

export const MAX_ROLES = 500

export interface RoleFields {
  code: string
  description?: string | null
}

/** @throws ApplicationNotFound, RoleExists, TooManyRoles */
export async function createRole(appCode: string, fields: RoleFields): Promise<Role> {
  return unlessTaken(RoleExists, () =>
    transaction(async (trx) => {
      const { id: applicationId } = await Application.lockWithCode(appCode, trx)
      const existing = Role.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_ROLES, TooManyRoles)
      return Role.create({ description: null, ...fields, applicationId }, { client: trx })
    })
  )
}

/** @throws ApplicationNotFound, RoleNotFound, RoleExists, PanelProtected */
export async function updateRole(appCode: string, id: number, fields: Partial<RoleFields>) {
  const application = await Application.withCode(appCode)
  const role = await Role.of(application.id, id)
  if (fields.code !== undefined && fields.code !== role.code) {
    requireNoPanelPart('role', appCode, role.code)
  }
  return unlessTaken(RoleExists, () => role.merge(fields).save())
}

/**
 * Deletes a role and takes it from everybody who has it.
 *
 * @throws ApplicationNotFound, RoleNotFound, PanelProtected
 */
export async function deleteRole(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  await changingAccess(async (trx, changed) => {
    changed({ application: appCode })
    const role = await Role.of(application.id, id, trx)
    requireNoPanelPart('role', appCode, role.code)
    await role.delete()
  })
}
