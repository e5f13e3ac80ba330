import { match } from '@formatjs/intl-localematcher'
import { LRUCache } from 'lru-cache'

export const DEFAULT_LOCALE = 'en'

/** The languages of the platform, by their code. */
export type LanguageRegistry = ReadonlyMap<string, { fallback: string | null; enabled: boolean }>

const NO_MATCH = 'und'
const matches = new LRUCache<string, string | typeof NO_MATCH>({ max: 1_000 })

/** Converts a locale to the form `en-us`. Null if it is not a locale, such as `*`. */
export function normalizeLocale(input: string): string | null {
  const tag = input.trim().split(/[.@]/, 1)[0].replaceAll('_', '-')
  try {
    return new Intl.Locale(tag).baseName.toLowerCase()
  } catch {
    return null
  }
}

/** Finds the locale itself, or else the closest more general one (`cs` for `cs-cz`). */
export function matchLocale(wanted: string, available: readonly string[]): string | null {
  const normalized = normalizeLocale(wanted)
  if (normalized === null) return null
  if (available.includes(normalized)) return normalized
  if (!normalized.includes('-')) return null
  const key = `${normalized} ${available.join(' ')}`
  const found = matches.get(key) ?? lookUpLocale(normalized, available)
  matches.set(key, found)
  return found === NO_MATCH ? null : found
}

/**
 * Chooses one of the available locales (notifications.md#language-choice). Null only if none is
 * available.
 * @param tried gets the locales that were looked for, in order
 */
export async function chooseLocale(
  wanted: string,
  available: readonly string[],
  readRegistry: () => Promise<LanguageRegistry>,
  tried: string[] = []
): Promise<string | null> {
  if (available.length === 0) return null
  const registry = await readRegistry()
  const enabled = available.filter((locale) => registry.get(locale)?.enabled !== false)
  const usable = enabled.length > 0 ? enabled : available
  tried.push(normalizeLocale(wanted) ?? wanted)
  const exact = matchLocale(wanted, usable)
  if (exact !== null) return exact
  const seen = new Set<string>()
  let code = matchLocale(wanted, [...registry.keys()])
  while (code !== null && !seen.has(code)) {
    if (!tried.includes(code)) tried.push(code)
    const found = matchLocale(code, usable)
    if (found !== null) return found
    seen.add(code)
    code = registry.get(code)?.fallback ?? null
  }
  if (!tried.includes(DEFAULT_LOCALE)) tried.push(DEFAULT_LOCALE)
  return matchLocale(DEFAULT_LOCALE, usable) ?? usable[0]
}

/**
 * The registered language that a locale names, or what it falls back to if that is disabled. A
 * locale of no registered language stays as it is.
 * @param tried gets the locales that were looked for, in order
 */
export async function enabledLocale(
  wanted: string,
  readRegistry: () => Promise<LanguageRegistry>,
  tried: string[] = []
): Promise<string> {
  const locale = normalizeLocale(wanted) ?? DEFAULT_LOCALE
  const registry = await readRegistry()
  const code = matchLocale(locale, [...registry.keys()])
  if (code === null || registry.get(code)!.enabled) {
    tried.push(locale)
    return code ?? locale
  }
  return (await chooseLocale(locale, [...registry.keys()], readRegistry, tried))!
}

function lookUpLocale(wanted: string, available: readonly string[]): string {
  const usable = available.filter((locale) => normalizeLocale(locale) !== null)
  return match([wanted], usable, NO_MATCH, { algorithm: 'lookup' }).toLowerCase()
}
