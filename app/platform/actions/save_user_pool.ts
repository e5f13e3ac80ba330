import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import {
  OrganisationInPool,
  UnknownBrand,
  UserPoolExists,
  UserPoolNotFound,
} from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import UserPool from '#app/platform/models/user_pool'
import UserPoolOrganisation from '#app/platform/models/user_pool_organisation'

export interface UserPoolFields {
  slug: string
  name: string
  brandId?: number | null
  /** The whole set. */
  organisations?: string[]
}

/** @throws UserPoolExists, UnknownBrand, OrganisationInPool */
export async function createUserPool(fields: UserPoolFields): Promise<UserPool> {
  return mapUniqueViolation(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      return save(new UserPool().merge({ brandId: null }), fields, trx)
    })
  )
}

/**
 * Changes the fields that are given.
 *
 * @throws UserPoolNotFound, UserPoolExists, UnknownBrand, OrganisationInPool
 */
export async function updateUserPool(id: number, fields: Partial<UserPoolFields>) {
  return mapUniqueViolation(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      return save(await findUserPool(id, trx), fields, trx)
    })
  )
}

/** @throws UserPoolNotFound */
export async function deleteUserPool(id: number) {
  await transaction(async (trx) => {
    await lockPlatform(trx)
    const pool = await findUserPool(id, trx)
    await pool.delete()
  })
}

async function findUserPool(id: number, client: TransactionClientContract) {
  const pool = await UserPool.find(id, { client })
  if (!pool) throw new UserPoolNotFound()
  return pool
}

async function save(
  pool: UserPool,
  { organisations, ...fields }: Partial<UserPoolFields>,
  trx: TransactionClientContract
) {
  if (fields.brandId) await requireBrand(fields.brandId, trx)
  await pool.useTransaction(trx).merge(fields).save()
  if (organisations) await replaceOrganisations(pool, [...new Set(organisations)], trx)
  await pool.load('organisations', (rows) => rows.orderBy('id'))
  return pool
}

async function requireBrand(id: number, client: TransactionClientContract) {
  const brand = await Brand.find(id, { client })
  if (!brand) throw new UnknownBrand({ details: { unknown: [id] } })
}

async function replaceOrganisations(
  pool: UserPool,
  organisations: string[],
  client: TransactionClientContract
) {
  const elsewhere = await UserPoolOrganisation.query({ client })
    .whereIn('organisationId', organisations)
    .whereNot('userPoolId', pool.id)
    .orderBy('id')
  if (elsewhere.length > 0) {
    const taken = elsewhere.map(({ organisationId }) => organisationId)
    throw new OrganisationInPool({ details: { organisations: taken } })
  }
  await pool.related('organisations').query().delete()
  for (const organisationId of organisations) {
    await UserPoolOrganisation.create({ userPoolId: pool.id, organisationId }, { client })
  }
}
