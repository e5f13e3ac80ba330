import { accessTransaction } from '#core/database/access_transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import type { PermissionFields } from '#app/permissions/actions/create_permission'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { requireValidParent } from '#app/permissions/actions/require_valid_parent'
import { PermissionExists, PermissionInUse } from '#app/permissions/exceptions'
import Permission from '#app/permissions/models/permission'
import { isPermissionInUse } from '#app/permissions/queries/is_permission_in_use'

/** The fields that decide access; the others are texts. */
const ACCESS_FIELDS = ['code', 'type', 'global', 'parentPermissionId'] as const

/**
 * The type of a permission in use cannot change, because the stored levels would no longer fit.
 *
 * @throws ApplicationNotFound, PermissionNotFound, PermissionExists, PermissionInUse,
 *   InvalidParent, PanelProtected
 */
export async function updatePermission(
  appCode: string,
  id: number,
  fields: Partial<PermissionFields>
) {
  return mapUniqueViolation(PermissionExists, () =>
    accessTransaction(async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      const permission = await Permission.of(application.id, id, trx)
      const changes = ACCESS_FIELDS.filter(
        (field) => fields[field] !== undefined && fields[field] !== permission[field]
      )
      if (changes.length > 0) requireNotBuiltIn('permission', appCode, permission.code)
      if (changes.includes('type') && (await isPermissionInUse(id, trx)))
        throw new PermissionInUse()
      permission.merge(fields)
      await requireValidParent(permission, trx)
      return permission.save()
    })
  )
}
