import vine from '@vinejs/vine'
import { MAX_CODE_LENGTH } from '#core/values/identifiers'
import { email, matching, slug, timestamp } from '#core/validation/fields'
import { anyObject, maxJsonValues } from '#core/validation/json_fields'
import { invalidField } from '#core/exceptions/problems'
import { MAX_RETRY_HOURS } from '#core/process/setting_errors'
import { TooManyNotifications } from '#app/delivery/exceptions'

const LOCALE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/

const OFFSET = /(?:[Zz]|[+-]\d\d:?\d\d)$/

/** Each takes time and memory whenever the message is read, unlike a long text. */
const MAX_DATA_VALUES = 10_000

const templateData = () => anyObject().use(maxJsonValues(MAX_DATA_VALUES)).optional()

const name = () => vine.string().minLength(1).maxLength(MAX_CODE_LENGTH)

const language = () =>
  vine.string().maxLength(35).use(matching(LOCALE, 'a language code, such as cs or en-US'))

const sendAt = () =>
  timestamp().use(matching(OFFSET, 'a timestamp with an offset, such as 2030-01-31T09:00:00+01:00'))

/** An unknown type is not a validation error (notifications.md#sending-order). */
const messageFields = () => ({
  type: name(),
  template: name().optional(),
  data: templateData(),
  locale: language().optional(),
  retryHours: vine
    .number({ strict: true })
    .withoutDecimals()
    .range([0, MAX_RETRY_HOURS])
    .optional(),
  sendAt: sendAt().optional(),
})

const notification = vine.object({ recipientEmail: email(), appCode: slug(), ...messageFields() })

export const notificationValidator = vine.create(notification)

/** A send of the application in the path. */
export const explanationValidator = vine.create({ recipientEmail: email(), ...messageFields() })

export const templateTestValidator = vine.create({ data: templateData() })

export const MAX_BULK = 100

/** For the API description of `readBulk`. */
export const bulkSchema = vine.create({
  notifications: vine.array(notification).minLength(1).maxLength(MAX_BULK),
})

/**
 * Items are not validated here, because an invalid one must not fail the others.
 * @throws ValidationError, TooManyNotifications
 * @describedBy notification_validator#bulkSchema
 */
export function readBulk(body: Record<string, unknown>): unknown[] {
  const { notifications } = body
  if (!Array.isArray(notifications) || notifications.length === 0) {
    const message = 'notifications must be an array with at least one notification'
    throw invalidField('notifications', 'array', message)
  }
  if (notifications.length > MAX_BULK) {
    throw new TooManyNotifications({
      details: { limit: MAX_BULK, given: notifications.length },
    })
  }
  return notifications
}
