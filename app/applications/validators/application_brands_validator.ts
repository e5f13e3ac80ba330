import vine from '@vinejs/vine'
import { label } from '#core/validation/fields'

export const applicationBrandsValidator = vine.create({
  brands: vine.array(label(128)).maxLength(500),
})
