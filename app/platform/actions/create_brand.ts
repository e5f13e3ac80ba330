import { requireRoom } from '#core/database/require_room'
import { type BrandAuthor, type BrandFields, saveBrand } from '#app/platform/actions/save_brand'
import { TooManyBrands } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'

export const MAX_BRANDS = 500

/** @throws BrandExists, TooManyBrands, OrganisationHasBrand, InvalidDkimKey, Forbidden */
export function createBrand(fields: BrandFields, author: BrandAuthor): Promise<Brand> {
  return saveBrand(
    async (trx) => {
      await requireRoom(Brand.query({ client: trx }), MAX_BRANDS, TooManyBrands)
      return new Brand().merge({ isDefault: false })
    },
    fields,
    author
  )
}
