import { deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { lockInstance } from '#app/applications/actions/lock_instance'
import { instanceResource } from '#app/applications/transformers/instance_resource'
import { instanceTarget } from '#app/applications/values/audit_targets'

/** @throws ApplicationNotFound, InstanceNotFound */
export async function deleteInstance(appCode: string, id: number, dryRun = false) {
  return transaction(async (trx) => {
    const instance = await lockInstance(appCode, id, trx)
    const application = { id: instance.applicationId, code: appCode }
    const deletion = { target: instanceTarget(instance), before: instanceResource(instance) }
    return deleteRow(instance, { action: 'instance.deleted', application, ...deletion }, dryRun)
  })
}
