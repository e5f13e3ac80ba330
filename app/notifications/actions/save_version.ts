import { type RequireFresh, unconditional } from '#core/http/etag'
import { prepareVersion } from '#app/notifications/actions/prepare_version'
import { requireLanguage } from '#app/notifications/actions/require_language'
import { writeVersion } from '#app/notifications/actions/write_version'
import { lintVersion } from '#app/notifications/linting/lint_version'
import type { TemplateWarning } from '#app/notifications/linting/template_warning'
import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateRevision from '#app/notifications/models/template_revision'
import type TemplateVersion from '#app/notifications/models/template_version'
import type { VersionTexts } from '#app/notifications/preparation/prepare_texts'

export type { VersionTexts } from '#app/notifications/preparation/prepare_texts'

export interface SavedVersion {
  version: TemplateVersion
  warnings: TemplateWarning[]
}

interface Saving {
  /** Texts of different authors take turns. */
  author: string
  requireFresh: RequireFresh<TemplateVersion | null>
}

/**
 * @throws TemplateNotFound, LanguageNotFound, Stale, TemplateSyntax, TemplateTooComplex,
 *   SecretExposed, RateLimited, Overloaded
 */
export async function saveVersion(
  templateId: number,
  locale: string,
  texts: VersionTexts,
  saving: Partial<Saving> = {}
): Promise<SavedVersion> {
  const template = await NotificationTemplate.withId(templateId)
  return prepareAndWrite(template, await requireLanguage(locale), texts, saving)
}

/**
 * Saves the texts of a former revision as a new one (notifications.md#revisions).
 * @throws TemplateRevisionNotFound, and as `saveVersion`
 */
export async function restoreVersion(
  templateId: number,
  locale: string,
  revision: number,
  saving: Partial<Saving> = {}
): Promise<SavedVersion> {
  const template = await NotificationTemplate.withId(templateId)
  const language = await requireLanguage(locale)
  const { subjectTemplate, bodyTemplate } = await TemplateRevision.of(
    template.id,
    language,
    revision
  )
  return prepareAndWrite(template, language, { subjectTemplate, bodyTemplate }, saving, revision)
}

async function prepareAndWrite(
  template: NotificationTemplate,
  locale: string,
  texts: VersionTexts,
  { author = 'service', requireFresh = unconditional }: Partial<Saving>,
  restoredFrom: number | null = null
): Promise<SavedVersion> {
  const prepared = await prepareVersion(template, texts, author)
  const fields = { ...prepared, locale }
  const version = await writeVersion(template.id, fields, { requireFresh, restoredFrom })
  return { version, warnings: lintVersion(version, template) }
}
