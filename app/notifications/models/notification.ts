import { column } from '@adonisjs/lucid/orm'
import { NotificationSchema } from '#database/schema'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

/** One message to one person: the audit log's entry and the inbox's item in one row. */
export default class Notification extends NotificationSchema {
  @column()
  declare status: NotificationStatus
}
