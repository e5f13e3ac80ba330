import vine from '@vinejs/vine'
import { id, label, notNull, slug } from '#core/validation/fields'

const optionalFields = {
  brandId: id().nullable().optional(),
  organisations: vine.array(label()).maxLength(500).use(notNull()).optional(),
}

export const createUserPoolValidator = vine.create({
  slug: slug(),
  name: label(),
  ...optionalFields,
})

export const updateUserPoolValidator = vine.create({
  slug: slug().use(notNull()).optional(),
  name: label().use(notNull()).optional(),
  ...optionalFields,
})
