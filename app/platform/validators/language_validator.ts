import vine from '@vinejs/vine'
import { flag, line, notNull } from '#core/validation/fields'

/** A language tag in lower case, such as `cs` or `pt-br`. */
const LANGUAGE_CODE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/

const languageCode = () => vine.string().maxLength(35).regex(LANGUAGE_CODE)

const optionalFields = {
  fallback: vine.string().maxLength(35).nullable().optional(),
  enabled: flag().use(notNull()).optional(),
}

export const createLanguageValidator = vine.create({
  code: languageCode(),
  name: line(),
  ...optionalFields,
})

export const updateLanguageValidator = vine.create({
  name: line().use(notNull()).optional(),
  ...optionalFields,
})
