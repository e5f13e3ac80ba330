/**
 * The begin of a day such as `2030-12-31`, in the time zone of the browser, or of a later one, in
 * ISO 8601. What is no day stays as it is: the service refuses it.
 */
export function beginOf(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`)
  if (Number.isNaN(date.getTime())) return day
  date.setDate(date.getDate() + later)
  return date.toISOString()
}
