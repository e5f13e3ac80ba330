import vine from '@vinejs/vine'
import { flag, label, notNull, prose, slug } from '#core/validation/fields'
import { MEMBERSHIPS } from '#app/applications/values/membership'

const languages = () =>
  vine.array(vine.string().maxLength(35)).maxLength(200).use(notNull()).optional()

const accessFields = () => ({
  membership: vine.enum(MEMBERSHIPS).use(notNull()).optional(),
  outsideRecipients: flag().use(notNull()).optional(),
})

export const createApplicationValidator = vine.create({
  code: slug(),
  name: label(),
  description: prose().nullable().optional(),
  supportedLanguages: languages(),
  ...accessFields(),
})

export const updateApplicationValidator = vine.create({
  name: label().use(notNull()).optional(),
  description: prose().nullable().optional(),
  supportedLanguages: languages(),
  ...accessFields(),
})
