import { transaction } from '#core/database/transaction'
import { findUserPool } from '#app/platform/actions/find_user_pool'
import { lockPlatform } from '#app/platform/actions/lock_platform'

/** @throws UserPoolNotFound */
export async function deleteUserPool(id: number) {
  await transaction(async (trx) => {
    await lockPlatform(trx)
    const pool = await findUserPool(id, trx)
    await pool.delete()
  })
}
