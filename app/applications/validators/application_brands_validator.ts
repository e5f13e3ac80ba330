import vine from '@vinejs/vine'
import { label } from '#core/validation/fields'

/** The body is `{brands: [slug, …]}`: a bare array is no JSON object, and objects can grow. */
export const applicationBrandsValidator = vine.create({
  brands: vine.array(label(128)).maxLength(500),
})
