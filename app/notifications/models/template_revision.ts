import { column } from '@adonisjs/lucid/orm'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ActorKind } from '#core/audit/audit_actor'
import { TemplateRevisionSchema } from '#database/schema'
import { TemplateRevisionNotFound } from '#app/notifications/exceptions'

/** The texts of a language version as they were once saved (notifications.md#revisions). */
export default class TemplateRevision extends TemplateRevisionSchema {
  /** Null for what was saved before revisions were kept. */
  @column()
  declare actorKind: ActorKind | null

  static ofVersion(notificationTemplateId: number, locale: string, client?: QueryClientContract) {
    return this.query({ client }).where({ notificationTemplateId, locale })
  }

  /** @throws TemplateRevisionNotFound */
  static async of(notificationTemplateId: number, locale: string, revision: number) {
    const found = await this.ofVersion(notificationTemplateId, locale)
      .where('revision', revision)
      .first()
    if (found) return found
    throw new TemplateRevisionNotFound({
      detail: `Template ${notificationTemplateId} has no revision ${revision} in ${locale}`,
    })
  }
}
