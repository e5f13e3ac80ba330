import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { RecipientRecord } from '#app/broadcasts/background/batch_records'
import { latestWaitFrom } from '#app/delivery/actions/new_pending_send'
import type { NotificationRecord } from '#app/delivery/values/notification_record'
import Notification from '#app/notifications/models/notification'

/**
 * Milliseconds that a recipient who has quiet hours now still waits. Null if the message is sent
 * now, also because it has waited for as long as a message may.
 */
export async function waitForQuietHours(
  { scheduledFor }: NotificationRecord,
  { id, isNew, createdAt }: RecipientRecord
): Promise<number | null> {
  if (scheduledFor === null) return null
  const until = DateTime.min(scheduledFor, latestWaitFrom(createdAt))
  const waitFor = until.diffNow().toMillis()
  if (waitFor <= 0) return null
  // A failed one stays failed until it is tried again.
  if (!isNew) {
    await Notification.query()
      .where({ id, status: 'scheduled' })
      .update({ scheduled_for: toDatabaseTimestamp(until) })
  }
  return Math.ceil(waitFor)
}
