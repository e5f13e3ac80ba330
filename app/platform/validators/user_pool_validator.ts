import vine from '@vinejs/vine'
import { id, label, slug } from '#core/validation/fields'

const optionalFields = {
  brandId: id().nullable().optional(),
  organisations: vine.array(label()).maxLength(500).optional(),
}

export const createUserPoolValidator = vine.create({
  slug: slug(),
  name: label(),
  ...optionalFields,
})

export const updateUserPoolValidator = vine.create({
  slug: slug().optional(),
  name: label().optional(),
  ...optionalFields,
})
