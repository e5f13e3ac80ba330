import { column } from '@adonisjs/lucid/orm'
import { NotificationSchema } from '#database/schema'
import type { TemplateSource } from '#app/notifications/values/template_source'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

/** One message to one user: both a log entry and an inbox item. */
export default class Notification extends NotificationSchema {
  @column()
  declare status: NotificationStatus

  @column()
  declare templateSource: TemplateSource | null
}
