import vine from '@vinejs/vine'
import { id, line, notNull, slug } from '#core/validation/fields'

const optionalFields = {
  brandId: id().nullable().optional(),
  organisations: vine.array(line()).maxLength(500).use(notNull()).optional(),
}

export const createUserPoolValidator = vine.create({
  slug: slug(),
  name: line(),
  ...optionalFields,
})

export const updateUserPoolValidator = vine.create({
  slug: slug().use(notNull()).optional(),
  name: line().use(notNull()).optional(),
  ...optionalFields,
})
