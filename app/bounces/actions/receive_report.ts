import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { applyBounce } from '#app/bounces/actions/apply_bounce'
import { readReport } from '#app/bounces/reports/read_report'
import { type SignedNotification, isAddressOf } from '#app/delivery/mail/signed_bounce_address'
import Delivery from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import { notificationReference } from '#app/delivery/values/notification_reference'
import { NotificationNotFound } from '#app/notifications/exceptions'
import Notification from '#app/notifications/models/notification'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import bouncesConfig from '#config/bounces'

export class DeliveryInProgress extends Error {
  override name = 'DeliveryInProgress'
}

/**
 * Applies a mail that was sent to the envelope sender of a notification. Anything else than a
 * report about the recipient of this notification changes nothing
 * (suppressions.md#reports-by-mail).
 *
 * @returns what was reported, or `ignored`
 * @throws DeliveryInProgress if the report arrived before the delivery was recorded
 */
export async function receiveReport(
  mail: Buffer,
  signed: SignedNotification
): Promise<BounceKind | 'ignored'> {
  const isMeant = (entry: Notification) => isAddressOf(signed, referenceOf(entry)) && isYoung(entry)
  const notification = await Notification.find(signed.id)
  if (!notification || !isMeant(notification)) return 'ignored'
  const { id: notificationId, email } = notification
  const report = readReport(mail, email)
  if (report === null) return 'ignored'
  if (await isBeingSent(notification)) throw new DeliveryInProgress()
  try {
    await applyBounce({ ...report, email, notificationId }, { isMeant })
  } catch (error) {
    // The recipient was erased in the meantime.
    if (error instanceof NotificationNotFound) return 'ignored'
    throw error
  }
  return report.kind
}

/** Deliveries of many messages are recorded together; one that waited was created long ago. */
async function isBeingSent(entry: Notification): Promise<boolean> {
  const pending = await PendingSend.findBy({ notificationId: entry.id })
  if (pending) return pending.channels.includes('email')
  const { recordedWithinMinutes: minutes } = bouncesConfig
  if (sentAfter(entry) < DateTime.utc().minus({ minutes })) return false
  return (await Delivery.findBy({ notificationId: entry.id, channel: 'email' })) === null
}

const referenceOf = ({ id, createdAt, email }: Notification) =>
  notificationReference(id, toDatabaseTimestamp(createdAt), email)

const isYoung = (entry: Notification) =>
  sentAfter(entry) > DateTime.utc().minus({ days: bouncesConfig.maxAgeDays })

/** The mail was not sent before. */
const sentAfter = ({ createdAt, scheduledFor }: Notification) =>
  DateTime.max(createdAt, scheduledFor ?? createdAt)
