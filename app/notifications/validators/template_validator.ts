import vine from '@vinejs/vine'
import { anyObject, code, label } from '#core/validation/fields'
import { templateFields, versionFields } from '#app/notifications/values/fields'

export const createTemplateValidator = vine.create({
  key: code(),
  name: label(),
  ...templateFields,
})

export const updateTemplateValidator = vine.create({
  name: label().optional(),
  ...templateFields,
})

export const saveVersionValidator = vine.create(versionFields)

export const previewValidator = vine.create({ data: anyObject().optional() })
