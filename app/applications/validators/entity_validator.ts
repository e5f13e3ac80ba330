import vine from '@vinejs/vine'
import { code, httpUrl, label, prose } from '#core/validation/fields'

const optionalFields = {
  description: prose().nullable().optional(),
  idLabel: label().nullable().optional(),
  listEndpoint: httpUrl().nullable().optional(),
}

export const createEntityValidator = vine.create({
  code: code(),
  name: label(),
  ...optionalFields,
})

export const updateEntityValidator = vine.create({
  code: code().optional(),
  name: label().optional(),
  ...optionalFields,
})
