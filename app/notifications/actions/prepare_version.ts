import { SecretExposed, TemplateSyntax } from '#app/notifications/exceptions'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { preparation } from '#app/notifications/preparation/preparation'
import type { PreparedTexts, VersionTexts } from '#app/notifications/preparation/prepare_texts'
import {
  findExposedSecretInVersion,
  findExposedSecretInHtml,
} from '#app/notifications/rendering/find_exposed_secret'
import {
  lineAt,
  parseTemplate,
  placeholdersOf,
  sourceOf,
} from '#app/notifications/rendering/parse_template'

/**
 * Prepares texts as they would be saved. Texts of different authors take turns.
 * @throws TemplateSyntax, TemplateTooComplex, SecretExposed, RateLimited, Overloaded
 */
export async function prepareVersion(
  template: NotificationTemplate,
  texts: VersionTexts,
  author: string
): Promise<PreparedTexts> {
  const prepared = await preparation.prepare(texts, author)
  await requireNoExposedSecret(template, prepared)
  return prepared
}

/** Editors of system types must not obtain a super admin's sign-in code through an image URL. */
async function requireNoExposedSecret(template: NotificationTemplate, prepared: PreparedTexts) {
  const type = await NotificationType.findOrFail(template.notificationTypeId)
  if (!type.system) return
  requireNoSection(prepared)
  const exposed = findExposedSecretInVersion(prepared)
  if (exposed === null) return
  const { secret, field } = exposed
  const source = prepared[field]
  const found = field === 'subjectTemplate' ? secret : findExposedSecretInHtml(source)
  const line = found && lineAt(source, found.start)
  throw new SecretExposed({ details: { variable: secret.name, line, field } })
}

/** In a section, a harmless name could mean a secret inside a value. @throws TemplateSyntax */
function requireNoSection(texts: VersionTexts) {
  for (const field of ['subjectTemplate', 'bodyTemplate'] as const) {
    const source = texts[field]
    const section = placeholdersOf(parseTemplate(source)).find(({ kind }) => kind !== 'value')
    if (section === undefined) continue
    const detail = `${sourceOf(section)}: templates of system types cannot contain sections`
    const error = new TemplateSyntax(detail, lineAt(source, section.start))
    error.details.field = field
    throw error
  }
}
