import { DateTime, type DurationLike } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { warnAboutFutureTime } from '#app/identity_provider/user_lifecycle/warn_about_future_time'

/** As much as the tolerance of signatures. */
const CLOCK_SKEW = { minutes: 5 }

/**
 * Sorts the events of one user by time, then by sequence: one transaction there writes several.
 * A future time counts as now, because it would block all events until then.
 * @param allowedSkew how far the clock of the source may be ahead
 */
export function eventPosition(
  createdAt: string,
  sequence = '0',
  allowedSkew: DurationLike = CLOCK_SKEW
): string {
  const time = capAtNow(createdAt, allowedSkew)
  const seconds = DateTime.fromISO(time, { zone: 'utc' }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  const fraction = /[.,](\d+)/.exec(time)?.[1] ?? ''
  return `${seconds}.${fraction.slice(0, 9).padEnd(9, '0')}Z/${sequence.padStart(20, '0')}`
}

function capAtNow(createdAt: string, allowedSkew: DurationLike): string {
  const [at, now] = [DateTime.fromISO(createdAt), DateTime.utc()]
  if (at > now.plus(CLOCK_SKEW)) warnAboutFutureTime(createdAt)
  return at > now.plus(allowedSkew) ? isoTimestamp(now) : createdAt
}

/** Sorts after every event of the same time. */
export const LAST_SEQUENCE = '9'.repeat(20)

/** The position, or the next one after the known one if that is not earlier. */
export function positionAfter(known: string | null | undefined, position: string): string {
  return known && known >= position ? `${known}+` : position
}

export function timeOfPosition(position: string): DateTime {
  return DateTime.fromISO(position.slice(0, position.indexOf('/')), { zone: 'utc' })
}
