import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { OrganisationInPool, UnknownBrand } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import type UserPool from '#app/platform/models/user_pool'
import UserPoolOrganisation from '#app/platform/models/user_pool_organisation'

const ORGANISATIONS: Destination = {
  table: 'user_pool_organisations',
  columns: { user_pool_id: 'integer', organisation_id: 'text' },
}

export interface UserPoolFields {
  slug: string
  name: string
  brandId?: number | null
  /** Replaces all organisations of the pool. */
  organisations?: string[]
}

/** @throws UnknownBrand, OrganisationInPool */
export async function saveUserPool(
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
