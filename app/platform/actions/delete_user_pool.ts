import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { findUserPool } from '#app/platform/actions/find_user_pool'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import type UserPool from '#app/platform/models/user_pool'
import { userPoolResource } from '#app/platform/transformers/user_pool_resource'
import { userPoolTarget } from '#app/platform/values/audit_targets'

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
    const deletion = { target: userPoolTarget(pool), before: userPoolResource(pool) }
    return deleteRow(pool, { action: 'user_pool.deleted', application: null, ...deletion }, dryRun)
  })
}
