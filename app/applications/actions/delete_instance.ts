import { transaction } from '#core/database/transaction'
import { lockInstance } from '#app/applications/actions/lock_instance'

/** @throws ApplicationNotFound, InstanceNotFound */
export async function deleteInstance(appCode: string, id: number) {
  await transaction(async (trx) => {
    const instance = await lockInstance(appCode, id, trx)
    await instance.delete()
  })
}
