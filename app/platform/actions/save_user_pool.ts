import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import {
  OrganisationInPool,
  TooManyUserPools,
  UnknownBrand,
  UserPoolExists,
  UserPoolNotFound,
} from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import UserPool from '#app/platform/models/user_pool'
import UserPoolOrganisation from '#app/platform/models/user_pool_organisation'

export const MAX_USER_POOLS = 500

const ORGANISATIONS: Destination = {
  table: 'user_pool_organisations',
  columns: { user_pool_id: 'integer', organisation_id: 'text' },
}

export interface UserPoolFields {
  slug: string
  name: string
  brandId?: number | null
  /** The whole set. */
  organisations?: string[]
}

/** @throws UserPoolExists, TooManyUserPools, UnknownBrand, OrganisationInPool */
export async function createUserPool(fields: UserPoolFields): Promise<UserPool> {
  return unlessTaken(UserPoolExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      await requireRoom(UserPool.query({ client: trx }), MAX_USER_POOLS, TooManyUserPools)
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
  return unlessTaken(UserPoolExists, () =>
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
  const rows = organisations.map((id) => ({ user_pool_id: pool.id, organisation_id: id }))
  await insertRows(ORGANISATIONS, rows, client)
}
