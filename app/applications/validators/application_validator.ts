import vine from '@vinejs/vine'
import { label, prose, slug } from '#core/validation/fields'

const languageCode = () => vine.string().maxLength(35)

export const createApplicationValidator = vine.create({
  code: slug(),
  name: label(),
  description: prose().nullable().optional(),
  supportedLanguages: vine.array(languageCode()).maxLength(200).optional(),
})

export const updateApplicationValidator = vine.create({
  name: label().optional(),
  description: prose().nullable().optional(),
  supportedLanguages: vine.array(languageCode()).maxLength(200).optional(),
})
