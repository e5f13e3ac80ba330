import { TemplateVersionSchema } from '#database/schema'
import { TemplateVersionNotFound } from '#app/notifications/exceptions'

/** A template's texts in one language, with what was made from them when they were saved. */
export default class TemplateVersion extends TemplateVersionSchema {
  /** @throws TemplateVersionNotFound */
  static async of(notificationTemplateId: number, locale: string | null) {
    const version =
      locale === null
        ? null
        : await this.query()
            .where('notificationTemplateId', notificationTemplateId)
            .where('locale', locale)
            .first()
    if (!version) throw new TemplateVersionNotFound()
    return version
  }
}
