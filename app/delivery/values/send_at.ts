import { DateTime } from 'luxon'
import { invalidField } from '#core/exceptions/problems'
import { isoTimestamp } from '#core/values/iso_timestamp'
import sendingConfig from '#config/sending'

/**
 * Undefined if the message is to be sent immediately (delivery.md#scheduled-sends).
 * @throws ValidationError if it is in the past or too far ahead
 */
export function readSendAt(text: string | undefined): DateTime | undefined {
  if (text === undefined) return undefined
  const sendAt = DateTime.fromISO(text, { zone: 'utc' })
  const now = DateTime.utc()
  const latest = now.plus({ days: sendingConfig.maxAheadDays })
  if (sendAt > now && sendAt <= latest) return sendAt
  const message = `sendAt must be in the future, at most ${sendingConfig.maxAheadDays} days ahead`
  const range = { after: isoTimestamp(now), until: isoTimestamp(latest) }
  throw invalidField('sendAt', 'ahead', message, range)
}
