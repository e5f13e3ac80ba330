import { requireRoom } from '#core/database/require_room'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { type UserPoolFields, saveUserPool } from '#app/platform/actions/save_user_pool'
import { TooManyUserPools, UserPoolExists } from '#app/platform/exceptions'
import UserPool from '#app/platform/models/user_pool'
import { auditedUserPool } from '#app/platform/transformers/audited_rows'

export const MAX_USER_POOLS = 500

/** @throws UserPoolExists, TooManyUserPools, UnknownBrand, OrganisationInPool */
export async function createUserPool(fields: UserPoolFields): Promise<UserPool> {
  return mapUniqueViolation(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatformData(trx)
      await requireRoom(UserPool.query({ client: trx }), MAX_USER_POOLS, TooManyUserPools)
      const pool = await saveUserPool(new UserPool().merge({ brandId: null }), fields, trx)
      await recordChange(trx, creationOf(auditedUserPool(pool)))
      return pool
    })
  )
}
