import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { accessTransaction } from '#core/database/access_transaction'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import Permission from '#app/permissions/models/permission'
import { auditedPermission } from '#app/permissions/transformers/audited_rows'

/**
 * Deletes a permission together with its assignments.
 *
 * @throws ApplicationNotFound, PermissionNotFound, Stale, PanelProtected
 */
export async function deletePermission(
  appCode: string,
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Permission> = {}
) {
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      const permission = await Permission.of(application, id, trx)
      await requireFresh(() => permission)
      requireNotBuiltIn('permission', appCode, permission.code)
      return deleteRow(permission, deletionOf(auditedPermission(permission, appCode)), dryRun)
    },
    { dryRun }
  )
}
