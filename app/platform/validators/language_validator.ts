import vine from '@vinejs/vine'
import { flag, label, matching } from '#core/validation/fields'

/** A lower-case language tag, such as `cs` or `pt-br`. */
const LANGUAGE_CODE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/

const languageCode = () =>
  vine
    .string()
    .maxLength(35)
    .use(matching(LANGUAGE_CODE, 'a lower-case language code, such as cs or pt-br'))

const optionalFields = {
  fallback: vine.string().maxLength(35).nullable().optional(),
  enabled: flag().optional(),
}

export const createLanguageValidator = vine.create({
  code: languageCode(),
  name: label(),
  ...optionalFields,
})

export const updateLanguageValidator = vine.create({
  name: label().optional(),
  ...optionalFields,
})
