import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import {
  type DkimFields,
  type SmtpFields,
  mergeDkim,
  mergeSmtp,
} from '#app/platform/actions/brand_secrets'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import {
  BrandExists,
  BrandIsDefault,
  BrandNotFound,
  OrganisationHasBrand,
} from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import { type Appearance, PLAIN_APPEARANCE } from '#app/platform/values/appearance'

export interface BrandFields {
  slug: string
  name: string
  idpOrgId?: string | null
  isDefault?: boolean
  emailFrom?: string | null
  emailFromName?: string | null
  replyTo?: string | null
  smtp?: SmtpFields | null
  dkim?: DkimFields | null
  appearance?: Partial<Appearance> | null
}

/** @throws BrandExists, OrganisationHasBrand, InvalidDkimKey */
export async function createBrand(fields: BrandFields): Promise<Brand> {
  return unlessTaken(BrandExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      return save(new Brand().merge({ isDefault: false }), fields, trx)
    })
  )
}

/**
 * Changes the fields that are given; a secret that is not given stays.
 *
 * @throws BrandNotFound, BrandExists, OrganisationHasBrand, InvalidDkimKey, BrandIsDefault when it would leave no default
 */
export async function updateBrand(id: number, fields: Partial<BrandFields>): Promise<Brand> {
  return unlessTaken(BrandExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      return save(await findBrand(id, trx), fields, trx)
    })
  )
}

/**
 * Deletes a brand; whoever and whatever had it falls back to the default one.
 *
 * @throws BrandNotFound, BrandIsDefault
 */
export async function deleteBrand(id: number) {
  await transaction(async (trx) => {
    await lockPlatform(trx)
    const brand = await findBrand(id, trx)
    if (brand.isDefault) throw new BrandIsDefault()
    await brand.delete()
  })
}

async function findBrand(id: number, client: TransactionClientContract) {
  const brand = await Brand.find(id, { client })
  if (!brand) throw new BrandNotFound()
  return brand
}

async function save(brand: Brand, fields: Partial<BrandFields>, trx: TransactionClientContract) {
  const { smtp, dkim, appearance, isDefault, ...plain } = fields
  if (brand.isDefault && isDefault === false) throw new BrandIsDefault()
  if (plain.idpOrgId) await requireFreeOrganisation(plain.idpOrgId, brand, trx)
  brand.merge(plain)
  if (smtp !== undefined) brand.smtp = mergeSmtp(brand.smtp ?? null, smtp)
  if (dkim !== undefined) brand.dkim = mergeDkim(brand.dkim ?? null, dkim)
  if (appearance !== undefined) {
    brand.appearance = appearance && { ...PLAIN_APPEARANCE, ...brand.appearance, ...appearance }
  }
  if (isDefault && !brand.isDefault) await takeOverDefault(brand, trx)
  await brand.useTransaction(trx).save()
  return brand.refresh()
}

async function requireFreeOrganisation(
  idpOrgId: string,
  brand: Brand,
  client: TransactionClientContract
) {
  const owner = await Brand.query({ client }).where('idpOrgId', idpOrgId).first()
  if (owner && owner.id !== brand.id) {
    throw new OrganisationHasBrand({ details: { idpOrgId, brand: owner.slug } })
  }
}

async function takeOverDefault(brand: Brand, client: TransactionClientContract) {
  const previous = await Brand.query({ client }).where('isDefault', true)
  for (const other of previous) await other.merge({ isDefault: false }).save()
  brand.isDefault = true
}
