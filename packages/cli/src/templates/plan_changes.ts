import { isDeepStrictEqual } from 'node:util'
import type { TemplateWarning } from './describe_warning.ts'
import type { RemoteTemplate, RemoteType } from './remote.ts'
import type { TemplateTexts, Texts, TypeMetadata, TypeTexts } from './texts.ts'
import type { TemplateWriter } from './template_writer.ts'

export interface Change {
  action: 'create' | 'update' | 'delete'
  what: string
  /** @returns warnings about a language version */
  apply(): Promise<TemplateWarning[] | void>
}

/**
 * The changes that make the service match the folder, in order.
 *
 * @param prune deletes templates and languages missing from the folder
 */
export function planChanges(
  writer: TemplateWriter,
  local: Texts,
  remote: { types: Map<string, RemoteType> },
  prune: boolean
): Change[] {
  return [...local.types].flatMap(([type, texts]) => {
    const there = remote.types.get(type)
    return [
      ...changeOfType(writer, type, texts, there),
      ...changeOfSamples(writer, type, texts, there),
      ...[...texts.templates].flatMap(([key, template]) =>
        changesOfTemplate(writer, { type, key }, template, there?.templates.get(key), prune)
      ),
      ...laterDigest(writer, type, texts, there),
      ...(prune ? deletions(writer, type, texts, there) : []),
    ]
  })
}

function changeOfType(
  writer: TemplateWriter,
  type: string,
  texts: TypeTexts,
  there: RemoteType | undefined
): Change[] {
  const what = `type ${type}`
  const { digest, ...rest } = completed(texts.about)
  const now = needsNewTemplate(texts, there) ? there?.about.digest : digest
  const about = { ...rest, ...(now && { digest: now }) }
  if (!there) return [{ action: 'create', what, apply: () => writer.createType(type, about) }]
  if (isDeepStrictEqual(about, there.about)) return []
  return [{ action: 'update', what, apply: () => writer.updateType(type, about) }]
}

/** A folder without the file says nothing about them. */
function changeOfSamples(
  writer: TemplateWriter,
  type: string,
  { samples }: TypeTexts,
  there: RemoteType | undefined
): Change[] {
  const before = there?.samples ?? []
  if (!samples || isDeepStrictEqual(samples, before)) return []
  const action = before.length > 0 ? 'update' : 'create'
  const apply = () => writer.saveSamples(type, samples)
  return [{ action, what: `sample data of type ${type}`, apply }]
}

/** The template of digests must exist before its type names it. */
function laterDigest(
  writer: TemplateWriter,
  type: string,
  texts: TypeTexts,
  there: RemoteType | undefined
): Change[] {
  if (!needsNewTemplate(texts, there)) return []
  const apply = () => writer.updateType(type, completed(texts.about))
  return [{ action: 'update', what: `digests of type ${type}`, apply }]
}

function needsNewTemplate({ about: { digest }, templates }: TypeTexts, there?: RemoteType) {
  const key = digest?.templateKey ?? null
  return key !== null && templates.has(key) && !there?.templates.has(key)
}

/** As the service returns it. */
function completed({ digest, ...about }: TypeMetadata): TypeMetadata {
  if (!digest) return about
  const { allowed, default: usual = 'off', templateKey = null } = digest
  return { ...about, digest: { allowed, default: usual, templateKey } }
}

function changesOfTemplate(
  writer: TemplateWriter,
  { type, key }: { type: string; key: string },
  { about, versions }: TemplateTexts,
  there: RemoteTemplate | undefined,
  prune: boolean
): Change[] {
  const what = `template ${type}/${key}`
  const found: Change[] = []
  // A template created by this push has no id before that.
  let id = there?.id ?? 0
  if (!there) {
    const apply = async () => {
      id = await writer.createTemplate(type, key, about)
    }
    found.push({ action: 'create', what, apply })
  } else if (!isDeepStrictEqual(about, there.about)) {
    found.push({ action: 'update', what, apply: () => writer.updateTemplate(id, about) })
  }
  for (const [locale, version] of versions) {
    const before = there?.versions.get(locale)
    if (isDeepStrictEqual(version, before)) continue
    const apply = () => writer.saveVersion(id, locale, version)
    found.push({ action: before ? 'update' : 'create', what: `${what} ${locale}`, apply })
  }
  const gone = [...(there?.versions.keys() ?? [])].filter((locale) => !versions.has(locale))
  for (const locale of prune ? gone : []) {
    const apply = () => writer.deleteVersion(id, locale)
    found.push({ action: 'delete', what: `${what} ${locale}`, apply })
  }
  return found
}

function deletions(
  writer: TemplateWriter,
  type: string,
  { templates }: TypeTexts,
  there: RemoteType | undefined
): Change[] {
  const gone = [...(there?.templates ?? [])].filter(([key]) => !templates.has(key))
  return gone.map(([key, { id }]) => ({
    action: 'delete',
    what: `template ${type}/${key}`,
    apply: () => writer.deleteTemplate(id),
  }))
}
