import { belongsTo, hasMany } from '@adonisjs/lucid/orm'
import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { NotificationTypeSchema } from '#database/schema'
import Application from '#app/applications/models/application'
import NotificationTemplate from '#app/notifications/models/notification_template'

/** A kind of message an application sends, with its channels' switches (specification 2.12). */
export default class NotificationType extends NotificationTypeSchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>

  @hasMany(() => NotificationTemplate)
  declare templates: HasMany<typeof NotificationTemplate>
}
