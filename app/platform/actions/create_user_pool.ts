import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import { type UserPoolFields, saveUserPool } from '#app/platform/actions/save_user_pool'
import { UserPoolExists } from '#app/platform/exceptions'
import UserPool from '#app/platform/models/user_pool'

/** @throws UserPoolExists, UnknownBrand, OrganisationInPool */
export async function createUserPool(fields: UserPoolFields): Promise<UserPool> {
  return mapUniqueViolation(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      return saveUserPool(new UserPool().merge({ brandId: null }), fields, trx)
    })
  )
}
