import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
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
