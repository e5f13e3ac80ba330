/** @param local what a field of a date and time contains, in the browser's time zone */
export function endingAt(local: string): { validUntil?: string } {
  return local === '' ? {} : { validUntil: new Date(local).toISOString() }
}
