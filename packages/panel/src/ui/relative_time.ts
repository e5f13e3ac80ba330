const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago something was, or when it will be, such as `in 3 days`. @param at ISO 8601 */
export function relativeTime(at: string, locale: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1_000
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return format.format(Math.trunc(seconds / length), unit)
}
