import { isoTimestamp } from '#core/database/columns'
import type Notification from '#app/notifications/models/notification'

export function logEntryResource(notification: Notification) {
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
