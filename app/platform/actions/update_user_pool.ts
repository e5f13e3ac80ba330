import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { findUserPool } from '#app/platform/actions/find_user_pool'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { type UserPoolFields, saveUserPool } from '#app/platform/actions/save_user_pool'
import { UserPoolExists } from '#app/platform/exceptions'

/** @throws UserPoolNotFound, UserPoolExists, UnknownBrand, OrganisationInPool */
export async function updateUserPool(id: number, fields: Partial<UserPoolFields>) {
  return mapUniqueViolation(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatformData(trx)
      return saveUserPool(await findUserPool(id, trx), fields, trx)
    })
  )
}
