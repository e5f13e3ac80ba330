import vine from '@vinejs/vine'
import { email, timestamp } from '#core/validation/fields'
import { name } from '#app/identity_provider/validators/name'

const identifier = () => vine.string().maxLength(255)

export const eventTypeValidator = vine.create({ eventType: vine.string().maxLength(255) })

export const genericEventValidator = vine.create({
  orgId: identifier().optional(),
  occurredAt: timestamp().optional(),
  eventId: identifier().optional(),
  user: vine.object({
    id: identifier().optional(),
    email: email(),
    firstName: name().optional(),
    lastName: name().optional(),
    displayName: name().optional(),
  }),
})
