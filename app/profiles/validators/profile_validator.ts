import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { IANAZone } from 'luxon'
import { flag, httpUrl, label } from '#core/validation/fields'
import { THEMES } from '#app/profiles/values/theme'

const timeZoneRule = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (typeof value === 'string' && !IANAZone.isValidZone(value)) {
    field.report('The {{ field }} field must be an IANA time zone', 'timezone', field)
  }
})

const name = () => label(200)

export const updateProfileValidator = vine.create({
  firstName: name().optional(),
  lastName: name().optional(),
  displayName: name().optional(),
  avatarUrl: httpUrl().nullable().optional(),
  locale: vine.string().minLength(1).maxLength(35).nullable().optional(),
  theme: vine.enum(THEMES).optional(),
  timezone: vine.string().maxLength(64).use(timeZoneRule()).nullable().optional(),
  brand: label(128).optional(),
})

export const updatePreferenceValidator = vine.create({
  showHelp: flag().optional(),
  notificationsEnabled: flag().optional(),
})
