import { findBrand } from '#app/platform/actions/find_brand'
import { type BrandAuthor, type BrandFields, saveBrand } from '#app/platform/actions/save_brand'
import type Brand from '#app/platform/models/brand'

/**
 * @throws BrandNotFound, BrandExists, OrganisationHasBrand, InvalidDkimKey, Forbidden,
 *   PasswordRequired, BrandIsDefault
 */
export function updateBrand(
  id: number,
  fields: Partial<BrandFields>,
  author: BrandAuthor
): Promise<Brand> {
  return saveBrand((trx) => findBrand(id, trx), fields, author)
}
