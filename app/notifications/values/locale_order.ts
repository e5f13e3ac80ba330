import { match } from '@formatjs/intl-localematcher'
import { LRUCache } from 'lru-cache'

export const DEFAULT_LOCALE = 'en'

const NO_MATCH = 'und'
const matches = new LRUCache<string, string | typeof NO_MATCH>({ max: 1_000 })

/**
 * A locale as the registry writes it: lower case, with hyphens (`en_US.UTF-8` is `en-us`). Null for what is none, such as `*`.
 */
export function normalizeLocale(input: string): string | null {
  const tag = input.trim().split(/[.@]/, 1)[0].replaceAll('_', '-')
  try {
    return new Intl.Locale(tag).baseName.toLowerCase()
  } catch {
    return null
  }
}

/** The available locale for `wanted`: itself, else the nearest more general one (`cs-cz` takes `cs`). */
export function matchLocale(wanted: string, available: readonly string[]): string | null {
  const normalized = normalizeLocale(wanted)
  if (normalized === null) return null
  if (available.includes(normalized)) return normalized
  if (!normalized.includes('-')) return null
  const key = `${normalized} ${available.join(' ')}`
  const found = matches.get(key) ?? lookUp(normalized, available)
  matches.set(key, found)
  return found === NO_MATCH ? null : found
}

/**
 * Which of the available locales to use: the wanted one, the registry's fallback chain, `en`, any
 * (notifications.md#language-choice). Null only when none is available.
 *
 * @param fallbacks answers the registry; asked only when the wanted locale is not available
 */
export async function chooseLocale(
  wanted: string,
  available: readonly string[],
  fallbacks: () => Promise<ReadonlyMap<string, string | null>>
): Promise<string | null> {
  if (available.length === 0) return null
  const exact = matchLocale(wanted, available)
  if (exact !== null) return exact
  const registry = await fallbacks()
  const seen = new Set<string>()
  let code = matchLocale(wanted, [...registry.keys()])
  while (code !== null && !seen.has(code)) {
    const found = matchLocale(code, available)
    if (found !== null) return found
    seen.add(code)
    code = registry.get(code) ?? null
  }
  return matchLocale(DEFAULT_LOCALE, available) ?? available[0]
}

function lookUp(wanted: string, available: readonly string[]): string {
  const usable = available.filter((locale) => normalizeLocale(locale) !== null)
  return match([wanted], usable, NO_MATCH, { algorithm: 'lookup' }).toLowerCase()
}
