import type { JsonObject } from '#app/permissions/conditions/condition_variables'

/**
 * The library determines types by `value.constructor`, which a JSON object may have as a key of its
 * own. Attributes with such a key become maps; almost always they come back as they are.
 */
export function readableAttributes(attributes: JsonObject): object {
  const known = readable.get(attributes)
  if (known !== undefined) return known
  const found = hasConstructor(attributes) ? (toMap(attributes) as object) : attributes
  readable.set(attributes, found)
  return found
}

/** Hundreds of conditions can read the same properties, which can have more than 1,000 values. */
const readable = new WeakMap<object, object>()

function hasConstructor(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasConstructor)
  for (const key of Object.keys(value)) {
    if (key === 'constructor' || hasConstructor((value as JsonObject)[key])) return true
  }
  return false
}

function toMap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toMap)
  return new Map(Object.entries(value).map(([key, item]) => [key, toMap(item)]))
}
