import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { creationOf, updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import {
  type DkimFields,
  type SmtpFields,
  mergeDkim,
  mergeSmtp,
  requireUsableDkimKey,
} from '#app/platform/actions/brand_secrets'
import {
  changedMailSettings,
  mailSettingsOf,
  requireMailSettingsAccess,
  requireSmtpPassword,
  logMailSettingsChange,
} from '#app/platform/actions/mail_settings'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { BrandExists, BrandIsDefault, OrganisationHasBrand } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import { auditedBrand } from '#app/platform/transformers/audited_rows'
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

export interface BrandAuthor {
  isSuperAdmin: boolean
}

export async function saveBrand(
  load: (trx: TransactionClientContract) => Brand | Promise<Brand>,
  fields: Partial<BrandFields>,
  author: BrandAuthor
): Promise<Brand> {
  const { brand, changed } = await mapUniqueViolation(BrandExists, () =>
    transaction(async (trx) => {
      await lockPlatformData(trx)
      return save(await load(trx), fields, author, trx)
    })
  )
  logMailSettingsChange(brand, changed)
  return brand
}

async function save(
  brand: Brand,
  fields: Partial<BrandFields>,
  author: BrandAuthor,
  trx: TransactionClientContract
) {
  const { smtp, dkim, appearance, isDefault, ...plain } = fields
  const before = mailSettingsOf(brand)
  const former = brand.$isPersisted ? auditedBrand(brand) : null
  if (brand.isDefault && isDefault === false) throw new BrandIsDefault()
  if (plain.idpOrgId) await requireFreeOrganisation(plain.idpOrgId, brand, trx)
  brand.merge(plain)
  if (smtp !== undefined) brand.smtp = mergeSmtp(brand.smtp ?? null, smtp)
  if (dkim !== undefined) brand.dkim = mergeDkim(brand.dkim ?? null, dkim)
  const after = mailSettingsOf(brand)
  const changed = changedMailSettings(before, after)
  requireMailSettingsAccess(changed, author.isSuperAdmin)
  requireUsableDkimKey(dkim)
  requireSmtpPassword(before, after, smtp)
  if (appearance !== undefined) {
    brand.appearance = appearance && { ...PLAIN_APPEARANCE, ...brand.appearance, ...appearance }
  }
  if (isDefault && !brand.isDefault) await makeDefault(brand, trx)
  await brand.useTransaction(trx).save()
  await brand.refresh()
  const saved = auditedBrand(brand)
  await recordChange(trx, former ? updateOf(former, saved) : creationOf(saved))
  return { brand, changed }
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

async function makeDefault(brand: Brand, client: TransactionClientContract) {
  const previous = await Brand.query({ client }).where('isDefault', true)
  for (const other of previous) {
    const before = auditedBrand(other)
    await other.merge({ isDefault: false }).save()
    await recordChange(client, updateOf(before, auditedBrand(other)))
  }
  brand.isDefault = true
}
