import { accessTransaction } from '#core/database/access_transaction'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import Role from '#app/permissions/models/role'

/** @throws ApplicationNotFound, RoleNotFound, PanelProtected */
export async function deleteRole(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  await accessTransaction(async (trx, changed) => {
    changed({ application: appCode })
    const role = await Role.of(application.id, id, trx)
    requireNotBuiltIn('role', appCode, role.code)
    await role.delete()
  })
}
