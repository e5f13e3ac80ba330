import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { accessTransaction } from '#core/database/access_transaction'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import Role from '#app/permissions/models/role'
import { auditedRole } from '#app/permissions/transformers/audited_rows'

/** @throws ApplicationNotFound, RoleNotFound, Stale, PanelProtected */
export async function deleteRole(
  appCode: string,
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Role> = {}
) {
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      const role = await Role.lock(application, id, trx)
      await requireFresh(() => role)
      requireNotBuiltIn('role', appCode, role.code)
      return deleteRow(role, deletionOf(auditedRole(role, appCode)), dryRun)
    },
    { dryRun }
  )
}
