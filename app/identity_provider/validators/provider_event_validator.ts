import vine from '@vinejs/vine'
import { email, matching, timestamp } from '#core/validation/fields'
import { name } from '#app/identity_provider/validators/name'

const identifier = () => vine.string().minLength(1).maxLength(255)

export const providerEventTypeValidator = vine.create({
  event_type: vine.string().maxLength(255),
  aggregateType: vine.string().maxLength(255).optional(),
})

export const providerEventValidator = vine.create({
  aggregateID: identifier(),
  resourceOwner: vine.string().maxLength(255).optional(),
  // A 64-bit counter, sent as a number here and as text elsewhere.
  sequence: vine.union([
    vine.union.if(
      (value) => typeof value === 'string',
      vine
        .string()
        .maxLength(20)
        .use(matching(/^\d{1,20}$/, 'a number of at most 20 digits'))
    ),
    vine.union.else(
      vine
        .number({ strict: true })
        .withoutDecimals()
        .min(0)
        .max(2 ** 64)
    ),
  ]),
  created_at: timestamp(),
})

/** Nothing else of a payload is read, because it may contain a password hash. */
export const providerEventPayloadValidator = vine.create({
  firstName: name().optional(),
  lastName: name().optional(),
  displayName: name().optional(),
})

export const providerEventEmailValidator = vine.create({ email: email() })
