import { accessTransaction } from '#core/database/access_transaction'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import Permission from '#app/permissions/models/permission'

/**
 * Deletes a permission together with its assignments.
 *
 * @throws ApplicationNotFound, PermissionNotFound, PanelProtected
 */
export async function deletePermission(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  await accessTransaction(async (trx, changed) => {
    changed({ application: appCode })
    const permission = await Permission.of(application.id, id, trx)
    requireNotBuiltIn('permission', appCode, permission.code)
    await permission.delete()
  })
}
