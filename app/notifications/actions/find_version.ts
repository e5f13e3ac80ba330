import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import Language from '#app/platform/models/language'

/** @throws TemplateNotFound, TemplateVersionNotFound */
export async function findVersion(
  templateId: number,
  wanted: string,
  client?: QueryClientContract
) {
  const { id, locale } = await findLanguageOf(templateId, wanted, client)
  return TemplateVersion.of(id, locale, client)
}

/**
 * The template and the registered language that a locale names; the locale itself if there is none.
 * @throws TemplateNotFound
 */
export async function findLanguageOf(
  templateId: number,
  wanted: string,
  client?: QueryClientContract
): Promise<{ id: number; locale: string }> {
  const { id } = await NotificationTemplate.withId(templateId, client)
  return { id, locale: (await Language.codeOf(wanted, client)) ?? wanted }
}
