import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { accessTransaction } from '#core/database/access_transaction'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import Role from '#app/permissions/models/role'
import { roleResource } from '#app/permissions/transformers/role_resource'
import { roleTarget } from '#app/permissions/values/audit_targets'

/** @throws ApplicationNotFound, RoleNotFound, Stale, PanelProtected */
export async function deleteRole(
  appCode: string,
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Role> = {}
) {
  const application = await Application.withCode(appCode)
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: appCode })
      const role = await Role.lock(application, id, trx)
      await requireFresh(() => role)
      requireNotBuiltIn('role', appCode, role.code)
      const deletion = { target: roleTarget(role), before: roleResource(role) }
      return deleteRow(role, { action: 'role.deleted', application, ...deletion }, dryRun)
    },
    { dryRun }
  )
}
