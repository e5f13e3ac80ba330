/** A moment as a date with its time. @param at ISO 8601 */
export const exactTime = (at: string, locale: string, timeStyle: 'short' | 'medium' = 'short') =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle }).format(new Date(at))
