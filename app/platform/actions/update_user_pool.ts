import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { findUserPool } from '#app/platform/actions/find_user_pool'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { type UserPoolFields, saveUserPool } from '#app/platform/actions/save_user_pool'
import { UserPoolExists } from '#app/platform/exceptions'
import type UserPool from '#app/platform/models/user_pool'
import { auditedUserPool } from '#app/platform/transformers/audited_rows'

/** @throws UserPoolNotFound, Stale, UserPoolExists, UnknownBrand, OrganisationInPool */
export async function updateUserPool(
  id: number,
  fields: Partial<UserPoolFields>,
  requireFresh: RequireFresh<UserPool> = unconditional
) {
  return mapUniqueViolation(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatformData(trx)
      const pool = await findUserPool(id, trx)
      await requireFresh(() => pool)
      await pool.load('organisations', (rows) => rows.orderBy('id'))
      const before = auditedUserPool(pool)
      await saveUserPool(pool, fields, trx)
      await recordChange(trx, updateOf(before, auditedUserPool(pool)))
      return pool
    })
  )
}
