import { column } from '@adonisjs/lucid/orm'
import { NotificationSchema } from '#database/schema'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

/** One message to one person: both a log entry and an inbox item. */
export default class Notification extends NotificationSchema {
  @column()
  declare status: NotificationStatus
}
