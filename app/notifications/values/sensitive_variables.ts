import type { TemplateVariable } from '#app/notifications/values/template_variable'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

export const MASK = '***'

/** Shorter values are left alone, because they would match parts of other words. */
const MIN_REDACTED_LENGTH = 4

/** The keys of variables whose values only the recipient sees (delivery.md#sensitive-variables). */
export function sensitiveKeys(
  type: { system: boolean } | null,
  template: { variables: TemplateVariable[] } | null,
  data: Record<string, unknown>
): string[] {
  const declared = template?.variables.filter(({ sensitive }) => sensitive) ?? []
  const secret = type?.system ? Object.keys(data).filter(mayBeSecret) : []
  return [...new Set([...declared.map(({ key }) => key), ...secret])]
}

/** A key without list positions stands for all items of a list. */
export function isSensitive(path: readonly string[], keys: string[]): boolean {
  return keys.some((key) => beginsWith(path, key.split('.')))
}

function beginsWith(path: readonly string[], names: string[]): boolean {
  let matched = 0
  for (const [index, segment] of path.entries()) {
    if (matched === names.length) break
    if (segment === names[matched]) matched += 1
    else if (index === 0 || !isPosition(segment)) return false
  }
  return matched === names.length
}

/** A copy with `***` in place of the values, wherever they stand. */
export function maskVariables(
  data: Record<string, unknown>,
  keys: string[]
): Record<string, unknown> {
  const masked = structuredClone(data)
  const texts = new Set(sensitiveTexts(data, keys))
  for (const { parent, name } of keys.flatMap((key) => placesOf(key.split('.'), masked))) {
    parent[name] = MASK
  }
  maskTexts(masked, texts)
  return masked
}

function maskTexts(parent: Container, texts: Set<string>) {
  for (const [name, value] of Object.entries(parent)) {
    if (isContainer(value)) maskTexts(value, texts)
    else if (texts.has(String(value))) parent[name] = MASK
  }
}

/** Whether the data has a value for any of the keys. */
export function hasSensitiveValue(data: Record<string, unknown>, keys: string[]): boolean {
  return keys
    .flatMap((key) => placesOf(key.split('.'), data))
    .some(({ parent, name }) => parent[name] !== null && parent[name] !== '')
}

/** The texts that must not be recorded when a server quotes them. */
export function sensitiveTexts(data: Record<string, unknown>, keys: string[]): string[] {
  return keys
    .flatMap((key) => placesOf(key.split('.'), data))
    .flatMap(({ parent, name }) => textsIn(parent[name]))
    .filter((text) => text.length >= MIN_REDACTED_LENGTH)
}

interface Place {
  parent: Container
  name: string
}

/**
 * Where the value of a variable stands: at its path, in all items of a list, and under names that
 * contain dots, which no template reaches but the log shows.
 */
function placesOf(path: string[], parent: unknown): Place[] {
  if (!isContainer(parent)) return []
  if (Array.isArray(parent) && !isPosition(path[0])) {
    return parent.flatMap((item) => placesOf(path, item))
  }
  return path.flatMap((_, index) => {
    const name = path.slice(0, index + 1).join('.')
    if (!Object.hasOwn(parent, name)) return []
    const rest = path.slice(index + 1)
    return rest.length === 0 ? [{ parent, name }] : placesOf(rest, parent[name])
  })
}

function textsIn(value: unknown): string[] {
  if (isContainer(value)) return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null

const isPosition = (segment: string) => /^\d+$/.test(segment)
