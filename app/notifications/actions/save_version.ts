import { type DateTime } from 'luxon'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { toDatabaseTimestamp } from '#core/database/columns'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { LanguageNotFound } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'
import { lockVersion } from '#app/notifications/actions/lock_version'
import { SecretExposed } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import { preparation } from '#app/notifications/preparation/preparation'
import type { PreparedTexts, VersionTexts } from '#app/notifications/preparation/prepare_texts'
import {
  findExposedSecretInVersion,
  findExposedSecretInHtml,
} from '#app/notifications/rendering/find_exposed_secret'
import { lineAt } from '#app/notifications/rendering/parse_template'
import { auditedTemplate } from '#app/notifications/queries/audited_template'
import { versionState } from '#app/notifications/transformers/template_states'
import { isServiceVariable } from '#app/notifications/values/service_variables'

export type { VersionTexts } from '#app/notifications/preparation/prepare_texts'

export interface SavedVersion {
  version: TemplateVersion
  /** Placeholders that are neither declared nor set by the service, so probably misspelt */
  warnings: string[]
}

/**
 * @throws TemplateNotFound, LanguageNotFound, Stale, TemplateSyntax, TemplateTooComplex,
 *   SecretExposed, RateLimited, Overloaded
 */
export async function saveVersion(
  templateId: number,
  locale: string,
  texts: VersionTexts,
  author = 'service',
  requireFresh: RequireFresh<TemplateVersion | null> = unconditional
): Promise<SavedVersion> {
  const template = await NotificationTemplate.withId(templateId)
  const language = await requireLanguage(locale)
  const { names, fields } = await preparation.prepare(texts, author)
  await requireNoExposedSecret(template, fields)
  const version = await writeVersion(templateId, { ...fields, locale: language }, requireFresh)
  return { version, warnings: undeclaredNames(names, template) }
}

/** Editors of system types must not obtain a super admin's sign-in code through an image URL. */
async function requireNoExposedSecret(
  template: NotificationTemplate,
  fields: PreparedTexts['fields']
) {
  const type = await NotificationType.findOrFail(template.notificationTypeId)
  if (!type.system) return
  const exposed = findExposedSecretInVersion(fields)
  if (exposed === null) return
  const { secret, field } = exposed
  const source = fields[field]
  const found = field === 'subjectTemplate' ? secret : findExposedSecretInHtml(source)
  const line = found && lineAt(source, found.start)
  throw new SecretExposed({ details: { variable: secret.name, line, field } })
}

async function requireLanguage(locale: string): Promise<string> {
  const code = await Language.codeOf(locale)
  if (code === null) throw new LanguageNotFound({ detail: `Language ${locale} does not exist` })
  return code
}

/** Prepared texts in a registered language. */
export type VersionFields = PreparedTexts['fields'] & { locale: string }

/** @throws Stale */
export function writeVersion(
  notificationTemplateId: number,
  fields: VersionFields,
  requireFresh: RequireFresh<TemplateVersion | null> = unconditional
) {
  return transaction(async (trx) => {
    await lockVersion(notificationTemplateId, fields.locale, trx)
    const key = { notificationTemplateId, locale: fields.locale }
    const version = await TemplateVersion.firstOrNew(key, fields, { client: trx })
    const former = version.$isPersisted ? versionState(version) : null
    await requireFresh(() => (version.$isPersisted ? version : null))
    const before = version.$isPersisted ? version.updatedAt : null
    await version.merge(fields).save()
    if (before && version.updatedAt <= before) await advanceUpdatedAt(before, version)
    await recordChange(trx, {
      action: 'template_version.saved',
      before: former,
      after: versionState(version),
      ...(await auditedTemplate(notificationTemplateId, trx)),
    })
    return version
  })
}

/** The cache identifies compiled versions by `updatedAt`, so no two changes may share one. */
async function advanceUpdatedAt(before: DateTime, version: TemplateVersion) {
  const updatedAt = before.plus({ milliseconds: 1 })
  await TemplateVersion.query({ client: version.$trx })
    .where('id', version.id)
    .update({ updated_at: toDatabaseTimestamp(updatedAt) })
  version.updatedAt = updatedAt
}

function undeclaredNames(names: string[], { variables }: NotificationTemplate): string[] {
  const declared = new Set(variables.map(({ key }) => key))
  return names.filter(
    (name) =>
      !isServiceVariable(name) && !declared.has(name) && !declared.has(name.split('.', 1)[0])
  )
}
