import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { findBrand } from '#app/platform/actions/find_brand'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import {
  EMPTY_MAIL_SETTINGS,
  changedMailSettings,
  mailSettingsOf,
  requireMailSettingsAccess,
  logMailSettingsChange,
} from '#app/platform/actions/mail_settings'
import type { BrandAuthor } from '#app/platform/actions/save_brand'
import { BrandIsDefault } from '#app/platform/exceptions'
import type Brand from '#app/platform/models/brand'
import { auditedBrand } from '#app/platform/transformers/audited_rows'

/**
 * Deletes a brand. Everything that used it falls back to the default brand.
 *
 * @throws BrandNotFound, Stale, BrandIsDefault, Forbidden
 */
export async function deleteBrand(
  id: number,
  { isSuperAdmin }: BrandAuthor,
  { dryRun = false, requireFresh = unconditional }: DeleteOptions<Brand> = {}
) {
  const deleted = await transaction(async (trx) => {
    await lockPlatformData(trx)
    const brand = await findBrand(id, trx)
    await requireFresh(() => brand)
    if (brand.isDefault) throw new BrandIsDefault()
    const changed = changedMailSettings(mailSettingsOf(brand), EMPTY_MAIL_SETTINGS)
    requireMailSettingsAccess(changed, isSuperAdmin)
    const preview = await deleteRow(brand, deletionOf(auditedBrand(brand)), dryRun)
    return { brand, changed, preview }
  })
  if (!dryRun) logMailSettingsChange(deleted.brand, deleted.changed)
  return deleted.preview
}
