const PATH = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*$/u

export function isDataPath(text: string): boolean {
  return PATH.test(text)
}

/** Reads own data properties only: no inherited ones, and no getters. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.getOwnPropertyDescriptor(value, key)?.value
  }
  return value
}

/** Formats a value for a message. Null, undefined, lists and objects become an empty string. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : ''
}
