import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { belongsTo, hasMany } from '#core/database/relations'
import { Remembered } from '#core/database/remembered'
import { NotificationTemplateSchema } from '#database/schema'
import { TemplateNotFound } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'

const templates = new Remembered((typeId: number) =>
  NotificationTemplate.query().where('notificationTypeId', typeId).orderBy('id')
)

/** A named template under a notification type (specification 2.12). */
export default class NotificationTemplate extends NotificationTemplateSchema {
  @belongsTo(() => NotificationType)
  declare notificationType: BelongsTo<typeof NotificationType>

  @hasMany(() => TemplateVersion)
  declare versions: HasMany<typeof TemplateVersion>

  /** @throws TemplateNotFound */
  static async withId(id: number): Promise<NotificationTemplate> {
    const template = await this.find(id)
    if (!template) throw new TemplateNotFound()
    return template
  }

  /** The templates of a type, for sending: remembered and shared, so not to be changed. */
  static toSend(typeId: number): Promise<readonly NotificationTemplate[]> {
    return templates.get(typeId)
  }

  @afterSave()
  @afterDelete()
  static forgetToSend(template: NotificationTemplate) {
    templates.forgetAfter(template)
  }
}
