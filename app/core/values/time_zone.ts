import { LRUCache } from 'lru-cache'

const names = new LRUCache<string, string>({ max: 1_000 })

/**
 * The runtime's name of a time zone, of which users can write any alias in any case. Luxon keeps
 * 45 kB forever for each name that it is given.
 *
 * @returns unknown names unchanged
 */
export function canonicalTimeZone(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const canonical = resolve(name)
  names.set(name, canonical)
  return canonical
}

function resolve(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return timeZone
  }
}
