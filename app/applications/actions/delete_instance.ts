import { deletionOf } from '#core/audit/audited_row'
import { deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { lockInstance } from '#app/applications/actions/lock_instance'
import { auditedInstance } from '#app/applications/transformers/audited_rows'

/** @throws ApplicationNotFound, InstanceNotFound */
export async function deleteInstance(appCode: string, id: number, dryRun = false) {
  return transaction(async (trx) => {
    const instance = await lockInstance(appCode, id, trx)
    return deleteRow(instance, deletionOf(auditedInstance(instance, appCode)), dryRun)
  })
}
