export interface EntityItem {
  id: string
  label: string
  description: string
}

const ENVELOPES = [
  'data',
  'items',
  'results',
  'result',
  'records',
  'rows',
  'content',
  'response',
  'entities',
  'list',
  'values',
  'elements',
  'payload',
]
const IDENTIFIERS = ['id', 'code', 'uuid']
const LABELS = ['name', 'title', 'label']

type Fields = Record<string, unknown>

/**
 * Reads items from the response of a list endpoint: an array of objects, bare or in up to two
 * envelopes (applications.md#recognised-list-formats). Skips objects without an identifier.
 *
 * @returns null if there is no array
 */
export function parseEntityItems(response: unknown): EntityItem[] | null {
  const list = findArray(response, 2)
  return list && list.map(parseItem).filter((item) => item !== null)
}

function findArray(response: unknown, depth: number): unknown[] | null {
  if (Array.isArray(response)) return response
  if (!isObject(response) || depth === 0) return null
  for (const envelope of ENVELOPES) {
    const found = Object.hasOwn(response, envelope)
      ? findArray(response[envelope], depth - 1)
      : null
    if (found) return found
  }
  return null
}

function parseItem(value: unknown): EntityItem | null {
  if (!isObject(value)) return null
  const id = firstText(value, IDENTIFIERS)
  if (id === null) return null
  return {
    id,
    label: firstText(value, LABELS) ?? id,
    description: firstText(value, ['description']) ?? '',
  }
}

function firstText(fields: Fields, names: string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return null
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
