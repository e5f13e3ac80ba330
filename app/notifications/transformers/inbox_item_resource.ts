import { isoTimestamp } from '#core/values/iso_timestamp'
import type Notification from '#app/notifications/models/notification'

export function inboxItemResource(notification: Notification) {
  return {
    id: notification.id,
    appCode: notification.appCode,
    appName: notification.appName,
    type: notification.type,
    subject: notification.subject,
    status: notification.status,
    statusReason: notification.statusReason,
    locale: notification.locale,
    readAt: isoTimestamp(notification.readAt),
    createdAt: isoTimestamp(notification.createdAt),
    payload: notification.payload,
  }
}
