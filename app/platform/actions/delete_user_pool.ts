import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { findUserPool } from '#app/platform/actions/find_user_pool'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import type UserPool from '#app/platform/models/user_pool'
import { auditedUserPool } from '#app/platform/transformers/audited_rows'

/** @throws UserPoolNotFound, Stale */
export async function deleteUserPool(
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<UserPool> = {}
) {
  return transaction(async (trx) => {
    await lockPlatformData(trx)
    const pool = await findUserPool(id, trx)
    await requireFresh(() => pool)
    await pool.load('organisations', (rows) => rows.orderBy('id'))
    return deleteRow(pool, deletionOf(auditedUserPool(pool)), dryRun)
  })
}
