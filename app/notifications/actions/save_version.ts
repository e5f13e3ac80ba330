import { type DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { serialize } from '#core/database/serialize'
import { LanguageNotFound } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'
import { TemplateSyntax } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import { compileVersion } from '#app/notifications/rendering/compiled_version'
import { parseTemplate, placeholdersOf } from '#app/notifications/rendering/parse_template'
import { prepareBody } from '#app/notifications/rendering/prepare_body'
import { normalizeLocale } from '#app/notifications/values/locale_order'
import { isServiceVariable } from '#app/notifications/values/service_variables'

export interface VersionTexts {
  subjectTemplate: string
  bodyTemplate: string
}

export interface SavedVersion {
  version: TemplateVersion
  /** Placeholders that are neither declared nor set by the service: probably misspelt. */
  warnings: string[]
}

/**
 * Writes a template's texts in one language, with everything a send needs that can be made beforehand.
 *
 * @throws TemplateNotFound, LanguageNotFound, TemplateSyntax
 */
export async function saveVersion(
  templateId: number,
  locale: string,
  texts: VersionTexts
): Promise<SavedVersion> {
  const template = await NotificationTemplate.withId(templateId)
  const language = await registeredLanguage(locale)
  const { names, fields } = prepareVersion(language, texts)
  const version = await writeVersion(templateId, fields)
  return { version, warnings: undeclared(names, template) }
}

/**
 * Everything of a version that is made of its texts, and the names of their placeholders.
 *
 * @throws TemplateSyntax
 */
export function prepareVersion(locale: string, texts: VersionTexts) {
  const names = namesIn(texts)
  const prepared = naming('bodyTemplate', () => prepareBody(texts.bodyTemplate))
  const fields = { ...texts, ...prepared, locale }
  compileVersion(fields)
  return { names, fields }
}

/** @throws TemplateNotFound, TemplateVersionNotFound */
export async function deleteVersion(templateId: number, locale: string) {
  const version = await findVersion(templateId, locale)
  await version.delete()
}

/** @throws TemplateNotFound, TemplateVersionNotFound */
export async function findVersion(templateId: number, locale: string) {
  const template = await NotificationTemplate.withId(templateId)
  return TemplateVersion.of(template.id, normalizeLocale(locale))
}

async function registeredLanguage(locale: string): Promise<string> {
  const code = normalizeLocale(locale)
  if (code === null || !(await Language.findBy({ code }))) throw new LanguageNotFound()
  return code
}

type VersionFields = Parameters<typeof compileVersion>[0]

function writeVersion(notificationTemplateId: number, fields: VersionFields) {
  return transaction(async (trx) => {
    await serialize(trx, `template_version:${notificationTemplateId}:${fields.locale}`)
    const key = { notificationTemplateId, locale: fields.locale }
    const version = await TemplateVersion.firstOrNew(key, fields, { client: trx })
    const before = version.$isPersisted ? version.updatedAt : null
    await version.merge(fields).save()
    if (before && version.updatedAt <= before) await stampAfter(before, version)
    return version
  })
}

/** Compiled versions are remembered by their time of change, so no two changes may share one. */
async function stampAfter(before: DateTime, version: TemplateVersion) {
  const updatedAt = before.plus({ milliseconds: 1 })
  await TemplateVersion.query({ client: version.$trx })
    .where('id', version.id)
    .update({ updated_at: toDatabase(updatedAt) })
  version.updatedAt = updatedAt
}

function namesIn({ subjectTemplate, bodyTemplate }: VersionTexts): string[] {
  const parts = [
    ...naming('subjectTemplate', () => parseTemplate(subjectTemplate)),
    ...naming('bodyTemplate', () => parseTemplate(bodyTemplate)),
  ]
  return [...new Set(placeholdersOf(parts).map(({ name }) => name))]
}

function undeclared(names: string[], { variables }: NotificationTemplate): string[] {
  const declared = new Set(variables.map(({ key }) => key))
  return names.filter(
    (name) =>
      !isServiceVariable(name) && !declared.has(name) && !declared.has(name.split('.', 1)[0])
  )
}

function naming<T>(field: keyof VersionTexts, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof TemplateSyntax ? error.in(field) : error
  }
}
