import vine from '@vinejs/vine'
import { flag, id } from '#core/validation/fields'

const choice = () => flag().optional()
const switches = { email: choice(), push: choice() }

export const changePreferenceValidator = vine.create({ ...switches })

export const changePreferencesValidator = vine.create({
  updates: vine.array(vine.object({ notificationTypeId: id(), ...switches })).maxLength(500),
})
