import {
  type KeyPlace,
  below,
  inItem,
  isEnd,
  isPosition,
  keyPaths,
} from '#app/notifications/values/key_paths'
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

/**
 * Tells whether a placeholder shows the value of one of the keys. A key without list positions
 * stands for all items of a list.
 */
export function sensitivePaths(keys: string[]): (path: readonly string[]) => boolean {
  const root = keyPaths(keys)
  return (path) => {
    let place = root
    for (const [index, name] of path.entries()) {
      if (isEnd(place)) break
      place = index > 0 && isPosition(name) ? inItem(place, name) : below(place, name)
    }
    return isEnd(place)
  }
}

/** A copy with `***` in place of the values, wherever they stand. */
export function maskVariables(
  data: Record<string, unknown>,
  keys: string[]
): Record<string, unknown> {
  const masked = structuredClone(data)
  const texts = new Set(sensitiveTexts(data, keys))
  for (const { parent, name } of sensitivePlaces(masked, keys)) parent[name] = MASK
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
  return sensitivePlaces(data, keys).some(
    ({ parent, name }) => parent[name] !== null && parent[name] !== ''
  )
}

/** The texts that must not be recorded when a server quotes them. */
export function sensitiveTexts(data: Record<string, unknown>, keys: string[]): string[] {
  return sensitivePlaces(data, keys)
    .flatMap(({ parent, name }) => textsIn(parent[name]))
    .filter((text) => text.length >= MIN_REDACTED_LENGTH)
}

interface Place {
  parent: Container
  name: string
}

/**
 * Where values of the variables stand: at their paths, in all items of a list, and under names that
 * contain dots, which no template reaches but the log shows.
 */
function sensitivePlaces(data: Record<string, unknown>, keys: string[]): Place[] {
  const places: Place[] = []
  addPlaces(data, keyPaths(keys), places)
  return places
}

function addPlaces(parent: Container, keys: KeyPlace, places: Place[]) {
  const step = Array.isArray(parent) ? inItem : below
  for (const [name, value] of Object.entries(parent)) {
    const left = step(keys, name)
    if (isEnd(left)) places.push({ parent, name })
    else if (left.length > 0 && isContainer(value)) addPlaces(value, left, places)
  }
}

function textsIn(value: unknown): string[] {
  if (isContainer(value)) return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null
