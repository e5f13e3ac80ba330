import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { findBrand } from '#app/platform/actions/find_brand'
import { type BrandAuthor, type BrandFields, saveBrand } from '#app/platform/actions/save_brand'
import type Brand from '#app/platform/models/brand'

/**
 * @throws BrandNotFound, Stale, BrandExists, OrganisationHasBrand, InvalidDkimKey, Forbidden,
 *   PasswordRequired, BrandIsDefault
 */
export function updateBrand(
  id: number,
  fields: Partial<BrandFields>,
  author: BrandAuthor,
  requireFresh: RequireFresh<Brand> = unconditional
): Promise<Brand> {
  const load = async (trx: TransactionClientContract) => {
    const brand = await findBrand(id, trx)
    await requireFresh(() => brand)
    return brand
  }
  return saveBrand(load, fields, author)
}
