import { type BrandAuthor, type BrandFields, saveBrand } from '#app/platform/actions/save_brand'
import Brand from '#app/platform/models/brand'

/** @throws BrandExists, OrganisationHasBrand, InvalidDkimKey, Forbidden */
export function createBrand(fields: BrandFields, author: BrandAuthor): Promise<Brand> {
  return saveBrand(() => new Brand().merge({ isDefault: false }), fields, author)
}
