import { isoTimestamp } from '#core/values/iso_timestamp'
import type { LogEntry } from '#app/notifications/queries/log_page'

export function logEntryResource(notification: LogEntry) {
  return {
    id: notification.id,
    recipientEmail: notification.email,
    appCode: notification.appCode,
    type: notification.type,
    template: notification.templateKey,
    subject: notification.subject,
    status: notification.status,
    statusReason: notification.statusReason,
    /** When it is, or was, to be sent; null if immediately */
    scheduledFor: isoTimestamp(notification.scheduledFor),
    locale: notification.locale,
    createdAt: isoTimestamp(notification.createdAt),
  }
}
