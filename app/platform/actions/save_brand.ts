import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import {
  type DkimFields,
  type SmtpFields,
  mergeDkim,
  mergeSmtp,
  requireUsableKey,
} from '#app/platform/actions/brand_secrets'
import {
  NO_MAIL_SETTINGS,
  changedSettings,
  mailSettingsOf,
  requireMayChange,
  requirePassword,
  tellOfChange,
} from '#app/platform/actions/mail_settings'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import {
  BrandExists,
  BrandIsDefault,
  BrandNotFound,
  OrganisationHasBrand,
  TooManyBrands,
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

export const MAX_BRANDS = 500

/** Who changes or deletes a brand: its mail settings are for super admins only. */
export interface BrandAuthor {
  isSuperAdmin: boolean
}

/** @throws BrandExists, TooManyBrands, OrganisationHasBrand, InvalidDkimKey, Forbidden */
export async function createBrand(fields: BrandFields, author: BrandAuthor): Promise<Brand> {
  return saving(async (trx) => {
    await requireRoom(Brand.query({ client: trx }), MAX_BRANDS, TooManyBrands)
    const brand = new Brand().merge({ isDefault: false })
    return save({ brand, fields, author }, trx)
  })
}

/**
 * Changes the fields that are given; a secret that is not given stays.
 *
 * @throws BrandNotFound, BrandExists, OrganisationHasBrand, InvalidDkimKey, Forbidden,
 *   PasswordRequired, and BrandIsDefault when it would leave no default
 */
export async function updateBrand(
  id: number,
  fields: Partial<BrandFields>,
  author: BrandAuthor
): Promise<Brand> {
  return saving(async (trx) => {
    const brand = await findBrand(id, trx)
    return save({ brand, fields, author }, trx)
  })
}

/**
 * Deletes a brand; whoever and whatever had it falls back to the default one.
 *
 * @throws BrandNotFound, BrandIsDefault, and Forbidden when it has mail settings and the author is
 * no super admin
 */
export async function deleteBrand(id: number, { isSuperAdmin }: BrandAuthor) {
  const deleted = await transaction(async (trx) => {
    await lockPlatform(trx)
    const brand = await findBrand(id, trx)
    if (brand.isDefault) throw new BrandIsDefault()
    const changedMail = changedSettings(mailSettingsOf(brand), NO_MAIL_SETTINGS)
    requireMayChange(changedMail, isSuperAdmin)
    await brand.delete()
    return { brand, changedMail }
  })
  tellOfChange(deleted.brand, deleted.changedMail)
}

interface Saved {
  brand: Brand
  changedMail: string[]
}

async function saving(work: (trx: TransactionClientContract) => Promise<Saved>): Promise<Brand> {
  const { brand, changedMail } = await unlessTaken(BrandExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      return work(trx)
    })
  )
  tellOfChange(brand, changedMail)
  return brand
}

async function findBrand(id: number, client: TransactionClientContract) {
  const brand = await Brand.find(id, { client })
  if (!brand) throw new BrandNotFound()
  return brand
}

interface Saving {
  brand: Brand
  fields: Partial<BrandFields>
  author: BrandAuthor
}

async function save(
  { brand, fields, author }: Saving,
  trx: TransactionClientContract
): Promise<Saved> {
  const { smtp, dkim, appearance, isDefault, ...plain } = fields
  const before = mailSettingsOf(brand)
  if (brand.isDefault && isDefault === false) throw new BrandIsDefault()
  if (plain.idpOrgId) await requireFreeOrganisation(plain.idpOrgId, brand, trx)
  brand.merge(plain)
  if (smtp !== undefined) brand.smtp = mergeSmtp(brand.smtp ?? null, smtp)
  if (dkim !== undefined) brand.dkim = mergeDkim(brand.dkim ?? null, dkim)
  const after = mailSettingsOf(brand)
  const changedMail = changedSettings(before, after)
  requireMayChange(changedMail, author.isSuperAdmin)
  requireUsableKey(dkim)
  requirePassword(before, after, smtp)
  if (appearance !== undefined) {
    brand.appearance = appearance && { ...PLAIN_APPEARANCE, ...brand.appearance, ...appearance }
  }
  if (isDefault && !brand.isDefault) await takeOverDefault(brand, trx)
  await brand.useTransaction(trx).save()
  return { brand: await brand.refresh(), changedMail }
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
