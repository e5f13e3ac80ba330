import vine from '@vinejs/vine'
import { flag, httpUrl, label, timeZone } from '#core/validation/fields'
import { THEMES } from '#app/profiles/values/theme'

const name = () => label(200).nullable().optional()
const switchField = () => flag().optional()

export const updateProfileValidator = vine.create({
  firstName: name(),
  lastName: name(),
  displayName: name(),
  avatarUrl: httpUrl().nullable().optional(),
  locale: vine.string().minLength(1).maxLength(35).nullable().optional(),
  theme: vine.enum(THEMES).optional(),
  timezone: timeZone().nullable().optional(),
  brand: label(128).optional(),
})

export const updatePreferenceValidator = vine.create({
  showHelp: switchField(),
  notificationsEnabled: switchField(),
})
