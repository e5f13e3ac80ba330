import { DateTime } from 'luxon'
import { canonicalTimeZone } from '#core/values/time_zone'
import type { QuietHours, QuietWindow } from '#app/profiles/values/quiet_hours'

const MINUTE_MS = 60_000
const DAY = 24 * 60
const WEEK = 7 * DAY

/** More than any week needs, so that a search always ends. */
const MAX_STEPS = 100

/** Minutes of a week on the user's clock, from Monday 00:00. */
interface Span {
  start: number
  /** Exclusive */
  end: number
}

/**
 * The first moment after `now` whose local time is in no window; null if `now` is in none. Local
 * time counts: an hour that the clock skips or repeats is skipped or repeated here too.
 */
export function quietUntil(hours: QuietHours | null, now: DateTime): DateTime | null {
  if (!hours?.enabled || hours.windows.length === 0) return null
  const spans = spansOf(hours.windows)
  const wholeMinute = Math.floor(now.toMillis() / MINUTE_MS) * MINUTE_MS
  const zone = canonicalTimeZone(hours.timeZone)
  let moment: DateTime = DateTime.fromMillis(wholeMinute, { zone })
  let isQuiet = false
  for (let step = 0; step < MAX_STEPS && moment.isValid; step++) {
    const minute = minuteOfWeek(moment)
    const span = spans.find(({ start, end }) => start <= minute && minute < end)
    if (!span) break
    isQuiet = true
    moment = ahead(moment, span.end - minute)
  }
  return isQuiet ? moment.toUTC() : null
}

/** Whether no moment of a week is outside the windows. */
export function coversWholeWeek(windows: QuietWindow[]): boolean {
  const [first] = spansOf(windows)
  return first !== undefined && first.start === 0 && first.end === WEEK
}

/** In order, without overlaps, and split at the end of the week. */
function spansOf(windows: QuietWindow[]): Span[] {
  const all = windows
    .flatMap(({ days, from, to }) => days.map((day) => spanOf(day, minutes(from), minutes(to))))
    .flatMap(({ start, end }) =>
      end <= WEEK
        ? [{ start, end }]
        : [
            { start, end: WEEK },
            { start: 0, end: end - WEEK },
          ]
    )
    .sort((one, other) => one.start - other.start)
  const merged: Span[] = []
  for (const span of all) {
    const last = merged.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

function spanOf(day: number, from: number, to: number): Span {
  const midnight = (day - 1) * DAY
  return { start: midnight + from, end: midnight + to + (to <= from ? DAY : 0) }
}

function minutes(time: string): number {
  const [hour, minute] = time.split(':').map(Number)
  return hour * 60 + minute
}

const minuteOfWeek = ({ weekday, hour, minute }: DateTime) =>
  (weekday - 1) * DAY + hour * 60 + minute

/** This many minutes later, but not beyond a change of the clock. */
function ahead(moment: DateTime, count: number): DateTime {
  if (moment.plus({ minutes: count }).offset === moment.offset) {
    return moment.plus({ minutes: count })
  }
  let [unchanged, changed] = [0, count]
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2)
    if (moment.plus({ minutes: middle }).offset === moment.offset) unchanged = middle
    else changed = middle
  }
  return moment.plus({ minutes: changed })
}
