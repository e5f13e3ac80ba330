import type { Key } from '../texts/en.ts'

export interface SnoozeTime {
  label: Key
  until: Date
}

const MORNING = 8
const EVENING = 18
const HOUR_MS = 3_600_000

/** When someone may want to see a message again, in the zone of the browser. */
export function snoozeTimes(now = new Date()): SnoozeTime[] {
  const inAnHour = new Date(now.getTime() + HOUR_MS)
  const evening = at(now, 0, EVENING)
  const tomorrow = at(now, 1, MORNING)
  const nextWeek = at(now, daysToMonday(now), MORNING)
  return [
    { label: 'inAnHour', until: inAnHour },
    ...(evening > inAnHour ? [{ label: 'evening' as const, until: evening }] : []),
    { label: 'tomorrow', until: tomorrow },
    // On a Sunday, that is tomorrow.
    ...(nextWeek > tomorrow ? [{ label: 'nextWeek' as const, until: nextWeek }] : []),
  ]
}

const at = (day: Date, days: number, hour: number) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour)

const daysToMonday = (day: Date) => (8 - day.getDay()) % 7 || 7
