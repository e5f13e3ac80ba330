import { accessTransaction } from '#core/database/access_transaction'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { requireRoom } from '#core/database/require_room'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { requireValidParent } from '#app/permissions/actions/require_valid_parent'
import { PermissionExists, TooManyPermissions } from '#app/permissions/exceptions'
import Permission from '#app/permissions/models/permission'
import { auditedPermission } from '#app/permissions/transformers/audited_rows'
import type { PermissionType } from '#app/permissions/values/access_level'

export const MAX_PERMISSIONS = 2_000

export interface PermissionFields {
  code: string
  type: PermissionType
  name?: string | null
  description?: string | null
  groupName?: string | null
  parentPermissionId?: number | null
  global?: boolean
}

/** @throws ApplicationNotFound, PermissionExists, TooManyPermissions, InvalidParent */
export async function createPermission(appCode: string, fields: PermissionFields) {
  return mapUniqueViolation(PermissionExists, () =>
    accessTransaction(async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      const existing = Permission.query({ client: trx }).where('applicationId', application.id)
      await requireRoom(existing, MAX_PERMISSIONS, TooManyPermissions)
      const permission = new Permission().useTransaction(trx)
      permission.merge({ global: false, ...fields, applicationId: application.id })
      await requireValidParent(permission, trx)
      await permission.save()
      await permission.refresh()
      await recordChange(trx, creationOf(auditedPermission(permission, appCode)))
      return permission
    })
  )
}
