import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { TtlCache } from '#core/database/ttl_cache'
import { TemplateVersionSchema } from '#database/schema'
import { TemplateVersionNotFound } from '#app/notifications/exceptions'
import type { VersionTexts } from '#app/notifications/preparation/prepare_texts'

export interface VersionStamp {
  id: number
  locale: string
  updatedAt: number
}

const stamps = new TtlCache(async (templateId: number): Promise<VersionStamp[]> => {
  const versions = await TemplateVersion.query()
    .select('id', 'locale', 'updatedAt')
    .where('notificationTemplateId', templateId)
    .orderBy('id')
  return versions.map(({ id, locale, updatedAt }) => ({
    id,
    locale,
    updatedAt: updatedAt.toMillis(),
  }))
})

export default class TemplateVersion extends TemplateVersionSchema {
  /** Whether these texts are others than those of the version. */
  differsFrom({ subjectTemplate, bodyTemplate }: VersionTexts): boolean {
    return this.subjectTemplate !== subjectTemplate || this.bodyTemplate !== bodyTemplate
  }

  /** @throws TemplateVersionNotFound */
  static async of(notificationTemplateId: number, locale: string, client?: QueryClientContract) {
    const version = await this.query({ client })
      .where('notificationTemplateId', notificationTemplateId)
      .where('locale', locale)
      .first()
    if (version) return version
    const detail = `Template ${notificationTemplateId} has no version in ${locale}`
    throw new TemplateVersionNotFound({ detail })
  }

  /** The versions of a template, for sending. They are cached and must not be modified. */
  static stampsOf(templateId: number): Promise<readonly VersionStamp[]> {
    return stamps.get(templateId)
  }

  @afterSave()
  @afterDelete()
  static invalidateStamps(version: TemplateVersion) {
    stamps.clearAfterCommit(version)
  }
}
