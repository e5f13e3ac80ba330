/** A moment as a date with its time. @param at ISO 8601 */
export const exactTime = (at: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
