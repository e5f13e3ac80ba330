import vine from '@vinejs/vine'
import { code, label } from '#core/validation/fields'
import { entityFields } from '#app/applications/values/entity_fields'

export const createEntityValidator = vine.create({
  code: code(),
  name: label(),
  ...entityFields,
})

export const updateEntityValidator = vine.create({
  code: code().optional(),
  name: label().optional(),
  ...entityFields,
})
