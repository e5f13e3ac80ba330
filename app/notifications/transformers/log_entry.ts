import { isoTimestamp } from '#core/database/columns'
import type { LogEntry } from '#app/notifications/queries/log'

/** Specification 2.12, and why it came out so. */
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
    locale: notification.locale,
    createdAt: isoTimestamp(notification.createdAt),
  }
}
