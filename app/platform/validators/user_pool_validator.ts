import vine from '@vinejs/vine'
import { id, line, slug } from '#core/validation/fields'

const optionalFields = {
  brandId: id().nullable().optional(),
  organisations: vine.array(line()).maxLength(500).optional(),
}

export const createUserPoolValidator = vine.create({
  slug: slug(),
  name: line(),
  ...optionalFields,
})

export const updateUserPoolValidator = vine.create({
  slug: slug().optional(),
  name: line().optional(),
  ...optionalFields,
})
