import { deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { lockInstance } from '#app/applications/actions/lock_instance'

/** @throws ApplicationNotFound, InstanceNotFound */
export async function deleteInstance(appCode: string, id: number, dryRun = false) {
  return transaction(async (trx) => {
    const instance = await lockInstance(appCode, id, trx)
    return deleteRow(instance, dryRun)
  })
}
