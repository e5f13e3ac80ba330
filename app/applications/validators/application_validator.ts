import vine from '@vinejs/vine'
import { flag, label, prose, slug } from '#core/validation/fields'
import { MEMBERSHIPS } from '#app/applications/values/membership'

const languages = () => vine.array(vine.string().maxLength(35)).maxLength(200).optional()

const accessFields = () => ({
  membership: vine.enum(MEMBERSHIPS).optional(),
  outsideRecipients: flag().optional(),
})

export const createApplicationValidator = vine.create({
  code: slug(),
  name: label(),
  description: prose().nullable().optional(),
  supportedLanguages: languages(),
  ...accessFields(),
})

export const updateApplicationValidator = vine.create({
  name: label().optional(),
  description: prose().nullable().optional(),
  supportedLanguages: languages(),
  ...accessFields(),
})
