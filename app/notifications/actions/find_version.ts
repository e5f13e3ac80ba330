import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import Language from '#app/platform/models/language'

/** @throws TemplateNotFound, TemplateVersionNotFound */
export async function findVersion(
  templateId: number,
  locale: string,
  client?: QueryClientContract
) {
  const template = await NotificationTemplate.withId(templateId, client)
  const code = await Language.codeOf(locale, client)
  return TemplateVersion.of(template.id, code ?? locale, client)
}
