export interface EntityItem {
  id: string
  label: string
  description: string
}

const ENVELOPES = [
  ...['data', 'items', 'results', 'result', 'records', 'rows', 'content', 'response'],
  ...['entities', 'list', 'values', 'elements', 'payload'],
]
const IDENTIFIERS = ['id', 'code', 'uuid']
const LABELS = ['name', 'title', 'label']

type Fields = Record<string, unknown>

/**
 * Reads entity items from whatever an application's list endpoint answers: an array of objects, bare or in one of the
 * usual envelopes, also in an envelope within one (applications.md#recognised-list-formats, catalog rule 3). Objects without an identifier
 * are left out. Null when there is no array.
 */
export function readEntityItems(answer: unknown): EntityItem[] | null {
  const list = findArray(answer, 2)
  return list && list.map(readItem).filter((item) => item !== null)
}

function findArray(answer: unknown, depth: number): unknown[] | null {
  if (Array.isArray(answer)) return answer
  if (!isObject(answer) || depth === 0) return null
  for (const envelope of ENVELOPES) {
    const found = Object.hasOwn(answer, envelope) ? findArray(answer[envelope], depth - 1) : null
    if (found) return found
  }
  return null
}

function readItem(value: unknown): EntityItem | null {
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
