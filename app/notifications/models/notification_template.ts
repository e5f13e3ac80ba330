import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { belongsTo, hasMany } from '#core/database/relations'
import { TtlCache } from '#core/database/ttl_cache'
import { NotificationTemplateSchema } from '#database/schema'
import { TemplateNotFound } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'

const cache = new TtlCache((typeId: number) =>
  NotificationTemplate.query().where('notificationTypeId', typeId).orderBy('id')
)

/** See notifications.md#template-fields. */
export default class NotificationTemplate extends NotificationTemplateSchema {
  @belongsTo(() => NotificationType)
  declare notificationType: BelongsTo<typeof NotificationType>

  @hasMany(() => TemplateVersion)
  declare versions: HasMany<typeof TemplateVersion>

  /** @throws TemplateNotFound */
  static async withId(id: number, client?: QueryClientContract): Promise<NotificationTemplate> {
    const template = await this.find(id, { client })
    if (!template) throw new TemplateNotFound({ detail: `Template ${id} does not exist` })
    return template
  }

  /** Locks the template until the transaction ends. @throws TemplateNotFound */
  static async lock(id: number, client: TransactionClientContract): Promise<NotificationTemplate> {
    const template = await this.query({ client }).where('id', id).forUpdate().first()
    if (!template) throw new TemplateNotFound({ detail: `Template ${id} does not exist` })
    return template
  }

  /** The templates of a type, for sending. They are cached and must not be modified. */
  static cachedForType(typeId: number): Promise<readonly NotificationTemplate[]> {
    return cache.get(typeId)
  }

  @afterSave()
  @afterDelete()
  static invalidateCache(template: NotificationTemplate) {
    cache.clearAfterCommit(template)
  }
}
