import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { jsonColumn } from '#core/database/columns'
import { belongsTo, hasMany } from '#core/database/relations'
import { NotificationTypeSchema } from '#database/schema'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import Application from '#app/applications/models/application'
import { NotificationTypeNotFound } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type { TypeDigest } from '#app/notifications/values/digest'
import { notInApplication } from '#app/applications/values/not_in_application'

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
}
