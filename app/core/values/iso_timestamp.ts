import type { DateTime } from 'luxon'

/** ISO 8601 in UTC with milliseconds and `Z` (conventions.md#timestamps). */
export function isoTimestamp(moment: DateTime): string
export function isoTimestamp(moment: DateTime | null): string | null
export function isoTimestamp(moment: DateTime | null) {
  return moment === null ? null : moment.toJSDate().toISOString()
}
