import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { IANAZone } from 'luxon'
import { flag, httpUrl, label } from '#core/validation/fields'
import { THEMES } from '#app/profiles/values/theme'

const timeZoneRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    // The runtime accepts offsets such as +01:00 as zones.
    if (typeof value === 'string' && !(/^[a-z]/i.test(value) && IANAZone.isValidZone(value))) {
      field.report('{{ field }} must be an IANA time zone', 'timezone', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { description: 'An IANA time zone' }) }
)

const name = () => label(200).nullable().optional()
const switchField = () => flag().optional()

export const updateProfileValidator = vine.create({
  firstName: name(),
  lastName: name(),
  displayName: name(),
  avatarUrl: httpUrl().nullable().optional(),
  locale: vine.string().minLength(1).maxLength(35).nullable().optional(),
  theme: vine.enum(THEMES).optional(),
  timezone: vine.string().maxLength(64).use(timeZoneRule()).nullable().optional(),
  brand: label(128).optional(),
})

export const updatePreferenceValidator = vine.create({
  showHelp: switchField(),
  notificationsEnabled: switchField(),
})
