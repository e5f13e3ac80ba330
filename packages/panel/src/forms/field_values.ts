/** @param text of a field; NaN, which the service refuses, if it is empty */
export const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

/** @param time ISO 8601; the value for a field of a date and time, in the browser's time zone */
export function toLocalTime(time: string | null | undefined): string {
  if (!time) return ''
  const date = new Date(time)
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** @param local what a field of a date and time contains */
export const toTime = (local: string): string => (local === '' ? '' : new Date(local).toISOString())
