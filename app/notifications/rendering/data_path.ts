const PATH = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*$/u

/** Whether text is a name or a dotted path, the only thing a placeholder may hold. */
export function isPath(text: string): boolean {
  return PATH.test(text)
}

/**
 * The value at a dotted path. Only own properties that hold a value are read: nothing inherited, and no getter runs.
 */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.getOwnPropertyDescriptor(value, key)?.value
  }
  return value
}

/**
 * How a value reads in a message: strings as they are, numbers and booleans as in JSON. Everything else has no text of
 * its own and is empty: null, what is absent, lists and objects (their members are reached by a path).
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : ''
}
