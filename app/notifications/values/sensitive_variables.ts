import { isDeepStrictEqual } from 'node:util'
import { KeyPlace, isPosition } from '#app/notifications/values/key_paths'
import type { TemplateVariable } from '#app/notifications/values/template_variable'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

export const MASK = '***'

/** Shorter values are left alone, because they would match parts of other words. */
export const MIN_REDACTED_LENGTH = 4

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
 * Returns whether a placeholder shows the value of one of the keys. A key without list positions
 * stands for all items of a list.
 */
export function sensitivePaths(keys: string[]): (path: readonly string[]) => boolean {
  const root = KeyPlace.root(keys)
  return (path) => {
    let place = root
    for (const [index, name] of path.entries()) {
      if (place.isEnd) break
      place = index > 0 && isPosition(name) ? place.inItem(name) : place.below(name)
    }
    return place.isEnd
  }
}

/** The data, or a copy with `***` in place of the values, wherever they occur. */
export function maskVariables(
  data: Record<string, unknown>,
  keys: string[]
): Record<string, unknown> {
  if (keys.length === 0) return data
  const masked = structuredClone(data)
  const places = sensitivePlaces(masked, keys)
  const texts = new Set(textsAt(places))
  for (const { parent, name } of places) parent[name] = MASK
  if (texts.size > 0) maskTexts(masked, texts)
  return masked
}

function maskTexts(parent: Container, texts: Set<string>) {
  for (const name of Object.keys(parent)) {
    const value = parent[name]
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

interface Search {
  keys: readonly string[]
  texts: readonly string[]
}

// The data of a send does not change. It may be rendered for many recipients and channels.
const searches = new WeakMap<Record<string, unknown>, Search>()

/** The texts that must not be recorded when a server quotes them. */
export function sensitiveTexts(data: Record<string, unknown>, keys: string[]): readonly string[] {
  if (keys.length === 0) return []
  const last = searches.get(data)
  if (last && isDeepStrictEqual(last.keys, keys)) return last.texts
  const texts = textsAt(sensitivePlaces(data, keys))
  searches.set(data, { keys: [...keys], texts })
  return texts
}

interface Place {
  parent: Container
  name: string
}

function textsAt(places: Place[]): string[] {
  const texts: string[] = []
  for (const { parent, name } of places) addTexts(parent[name], texts)
  return texts
}

function addTexts(value: unknown, texts: string[]) {
  if (isContainer(value)) {
    for (const inner of Object.values(value)) addTexts(inner, texts)
  } else if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value)
    if (text.length >= MIN_REDACTED_LENGTH) texts.push(text)
  }
}

/**
 * Where values of the variables occur: at their paths, in all items of a list, and under names that
 * contain dots, which no template reaches but the log shows.
 */
function sensitivePlaces(data: Record<string, unknown>, keys: string[]): Place[] {
  const places: Place[] = []
  addPlaces(data, KeyPlace.root(keys), places)
  return places
}

function addPlaces(parent: Container, keys: KeyPlace, places: Place[]) {
  const isList = Array.isArray(parent)
  for (const name of Object.keys(parent)) {
    const value = parent[name]
    const left = isList ? keys.inItem(name) : keys.below(name)
    if (left.isEnd) places.push({ parent, name })
    else if (!left.isNowhere && isContainer(value)) addPlaces(value, left, places)
  }
}

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null
