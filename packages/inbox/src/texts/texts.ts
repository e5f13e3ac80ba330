import { cs } from './cs.ts'
import { type Key, type Text, en } from './en.ts'

type Values = Record<string, string | number>

const LANGUAGES: Record<string, Record<Key, Text>> = { cs, en }
const DAY_MS = 86_400_000
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** Older messages show their date. */
const RELATIVE_MS = 7 * DAY_MS

/** The texts, numbers and times of one language. */
export class Texts {
  readonly #texts: Record<Key, Text>
  readonly #plurals: Intl.PluralRules
  readonly #relative: Intl.RelativeTimeFormat

  readonly language: string

  constructor(language: string) {
    this.language = language
    this.#texts = LANGUAGES[language]!
    this.#plurals = new Intl.PluralRules(language)
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  }

  /** With `n`, in the plural form of the number. */
  get(key: Key, values: Values = {}): string {
    const text = this.#texts[key]
    const form =
      typeof text === 'string'
        ? text
        : (text[this.#plurals.select(Number(values.n))] ?? text.other!)
    return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  }

  /** Such as "3 hours ago". */
  ago(timestamp: string): string {
    const ms = Date.parse(timestamp) - Date.now()
    if (Math.abs(ms) > RELATIVE_MS)
      return this.#format(new Date(timestamp), { dateStyle: 'medium' })
    const [unit, length] = UNITS.find(([, unitMs]) => Math.abs(ms) >= unitMs) ?? ['minute', 60_000]
    return this.#relative.format(Math.round(ms / length), unit)
  }

  moment(date: Date): string {
    return this.#format(date, { dateStyle: 'full', timeStyle: 'short' })
  }

  /** For something in the next days. */
  soon(date: Date): string {
    return this.#format(date, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
  }

  #format(date: Date, options: Intl.DateTimeFormatOptions) {
    return new Intl.DateTimeFormat(this.language, options).format(date)
  }
}

/** The first of these languages that has texts, such as `cs` for `cs-CZ`; else English. */
export function languageFrom(candidates: (string | null | undefined)[]): string {
  const known = candidates.map((tag) => tag?.toLowerCase().split('-')[0] ?? '')
  return known.find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en'
}
