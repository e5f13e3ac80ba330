import vine from '@vinejs/vine'
import { label } from '#core/validation/fields'

const brands = vine.array(label(128)).maxLength(500)
const validator = vine.create({ brands })

/** For the API description. */
export const brandsSchema = { anyOf: [brands.toJSONSchema(), validator.toJSONSchema()] }

/**
 * @param body an array of slugs, or `{brands: […]}`
 * @throws ValidationError
 * @describedBy application_brands_validator#brandsSchema
 */
export async function readBrands(body: unknown): Promise<string[]> {
  const input = await validator.validate(Array.isArray(body) ? { brands: body } : body)
  return input.brands
}
