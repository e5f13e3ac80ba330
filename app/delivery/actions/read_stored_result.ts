import { isoTimestamp } from '#core/values/iso_timestamp'
import PendingSend from '#app/delivery/models/pending_send'
import type { SendResult } from '#app/delivery/values/notification_request'
import Notification from '#app/notifications/models/notification'

/** The current result of a durable send. Null if its notification was deleted. */
export async function readStoredResult(notificationId: number): Promise<SendResult | null> {
  const [notification, pending] = await Promise.all([
    Notification.find(notificationId),
    PendingSend.findBy({ notificationId }),
  ])
  if (!notification) return null
  const { id, status, statusReason, scheduledFor } = notification
  const result = { id, status, statusReason }
  if (status === 'scheduled') return { ...result, scheduledFor: isoTimestamp(scheduledFor!) }
  return pending ? { ...result, retryUntil: isoTimestamp(pending.giveUpAt) } : result
}
