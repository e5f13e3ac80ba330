import vine from '@vinejs/vine'
import { label, notNull, prose, slug } from '#core/validation/fields'

const languages = () =>
  vine.array(vine.string().maxLength(35)).maxLength(200).use(notNull()).optional()

export const createApplicationValidator = vine.create({
  code: slug(),
  name: label(),
  description: prose().nullable().optional(),
  supportedLanguages: languages(),
})

export const updateApplicationValidator = vine.create({
  name: label().use(notNull()).optional(),
  description: prose().nullable().optional(),
  supportedLanguages: languages(),
})
