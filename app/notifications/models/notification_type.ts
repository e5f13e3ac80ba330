import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { jsonColumn } from '#core/database/columns'
import { belongsTo, hasMany } from '#core/database/relations'
import { TtlCache } from '#core/database/ttl_cache'
import { NotificationTypeSchema } from '#database/schema'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import Application from '#app/applications/models/application'
import { NotificationTypeNotFound } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type { TypeDigest } from '#app/notifications/values/digest_frequency'
import { notInApplication } from '#app/applications/values/not_in_application'

/** Rejections are not remembered. */
class TypeMissing extends Error {}

const cache = new TtlCache(async (key: string) => {
  const [applicationId, code] = JSON.parse(key) as [number, string]
  const type = await NotificationType.findBy({ applicationId, code })
  if (!type) throw new TypeMissing()
  return type
})

/** See notifications.md#type-fields. */
export default class NotificationType extends NotificationTypeSchema {
  @jsonColumn()
  declare digest: TypeDigest | null

  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>

  @hasMany(() => NotificationTemplate)
  declare templates: HasMany<typeof NotificationTemplate>

  /** @throws ApplicationNotFound, NotificationTypeNotFound */
  static async of(appCode: string, code: string, client?: QueryClientContract) {
    const application = await Application.withCode(appCode, client)
    const type = await this.query({ client })
      .where('applicationId', application.id)
      .where('code', code)
      .first()
    if (!type)
      throw new NotificationTypeNotFound(notInApplication(`Notification type ${code}`, appCode))
    return type
  }

  /**
   * For sending. The result is cached and must not be modified. Null if the application does not
   * have the type, which is not remembered.
   */
  static cachedOf(applicationId: number, code: string): Promise<NotificationType | null> {
    return cache.get(JSON.stringify([applicationId, code])).catch((error: unknown) => {
      if (error instanceof TypeMissing) return null
      throw error
    })
  }

  /**
   * Locks the type until the transaction ends.
   *
   * @throws ApplicationNotFound, NotificationTypeNotFound
   */
  static async lock(appCode: string, code: string, client: TransactionClientContract) {
    const { id } = await this.of(appCode, code, client)
    const type = await this.query({ client }).where('id', id).forUpdate().first()
    if (!type)
      throw new NotificationTypeNotFound(notInApplication(`Notification type ${code}`, appCode))
    return type
  }

  @afterSave()
  @afterDelete()
  static invalidateCache(type: NotificationType) {
    cache.clearAfterCommit(type)
  }
}
