import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { BrandNotFound } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'

/** @throws BrandNotFound */
export async function findBrand(id: number, client?: TransactionClientContract): Promise<Brand> {
  const brand = await Brand.find(id, { client })
  if (!brand) throw new BrandNotFound({ detail: `Brand ${id} does not exist` })
  return brand
}
