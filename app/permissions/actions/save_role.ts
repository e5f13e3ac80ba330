import { accessTransaction } from '#core/database/access_transaction'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { requireNoPanelPart } from '#app/applications/values/panel'
import { RoleExists } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'

export interface RoleFields {
  code: string
  description?: string | null
}

/** @throws ApplicationNotFound, RoleExists */
export async function createRole(appCode: string, fields: RoleFields): Promise<Role> {
  return mapUniqueViolation(RoleExists, () =>
    transaction(async (trx) => {
      const { id: applicationId } = await Application.withCode(appCode, trx)
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
  return mapUniqueViolation(RoleExists, () => role.merge(fields).save())
}

/**
 * Deletes a role and takes it from everybody who has it.
 *
 * @throws ApplicationNotFound, RoleNotFound, PanelProtected
 */
export async function deleteRole(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  await accessTransaction(async (trx, changed) => {
    changed({ application: appCode })
    const role = await Role.of(application.id, id, trx)
    requireNoPanelPart('role', appCode, role.code)
    await role.delete()
  })
}
