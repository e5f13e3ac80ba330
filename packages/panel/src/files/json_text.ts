/** Empty for an object without properties. */
export const formatJson = (value: object) =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object that a text has, `{}` for an empty one; null if it is something else. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? value : null
}

/** The list that a text has, by itself or as a property of an object; null if there is none. */
export function parseJsonList(text: string, property: string): unknown[] | null {
  const value = parseJson(text)
  const list = isObject(value) ? value[property] : value
  return Array.isArray(list) ? list : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
