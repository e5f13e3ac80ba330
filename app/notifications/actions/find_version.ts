import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import Language from '#app/platform/models/language'

/** @throws TemplateNotFound, TemplateVersionNotFound */
export async function findVersion(templateId: number, locale: string) {
  const template = await NotificationTemplate.withId(templateId)
  return TemplateVersion.of(template.id, (await Language.codeOf(locale)) ?? locale)
}
