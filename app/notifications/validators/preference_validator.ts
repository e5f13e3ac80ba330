import vine from '@vinejs/vine'
import { flag, id } from '#core/validation/fields'
import { DIGEST_CHOICES } from '#app/notifications/values/digest_frequency'

const choice = () => flag().optional()
const switches = { email: choice(), push: choice(), digest: vine.enum(DIGEST_CHOICES).optional() }

export const changePreferenceValidator = vine.create({ ...switches })

export const changePreferencesValidator = vine.create({
  updates: vine.array(vine.object({ notificationTypeId: id(), ...switches })).maxLength(500),
})
