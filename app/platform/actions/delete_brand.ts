import { transaction } from '#core/database/transaction'
import { findBrand } from '#app/platform/actions/find_brand'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import {
  NO_MAIL_SETTINGS,
  changedSettings,
  mailSettingsOf,
  requireMayChange,
  tellOfChange,
} from '#app/platform/actions/mail_settings'
import type { BrandAuthor } from '#app/platform/actions/save_brand'
import { BrandIsDefault } from '#app/platform/exceptions'

/**
 * Deletes a brand. Everything that used it falls back to the default brand.
 *
 * @throws BrandNotFound, BrandIsDefault, Forbidden
 */
export async function deleteBrand(id: number, { isSuperAdmin }: BrandAuthor) {
  const deleted = await transaction(async (trx) => {
    await lockPlatform(trx)
    const brand = await findBrand(id, trx)
    if (brand.isDefault) throw new BrandIsDefault()
    const changed = changedSettings(mailSettingsOf(brand), NO_MAIL_SETTINGS)
    requireMayChange(changed, isSuperAdmin)
    await brand.delete()
    return { brand, changed }
  })
  tellOfChange(deleted.brand, deleted.changed)
}
