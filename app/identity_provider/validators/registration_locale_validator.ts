import vine from '@vinejs/vine'
import { email, label } from '#core/validation/fields'

export const registrationLocaleValidator = vine.create({
  email: email(),
  orgId: label(),
  locale: vine.string().minLength(1).maxLength(255),
})
