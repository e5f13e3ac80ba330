import { deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { findUserPool } from '#app/platform/actions/find_user_pool'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'

/** @throws UserPoolNotFound */
export async function deleteUserPool(id: number, dryRun = false) {
  return transaction(async (trx) => {
    await lockPlatformData(trx)
    const pool = await findUserPool(id, trx)
    return deleteRow(pool, dryRun)
  })
}
