import { DateTime, type DurationLike } from 'luxon'
import { isoTimestamp } from '#core/database/columns'
import { noteTimeToCome } from '#app/identity_provider/values/note_time_to_come'

/** How far the provider's clock may be ahead: its signatures allow as much. */
const SKEW = { minutes: 5 }

/**
 * Where an event stands among those of one user, as text that sorts: by its time, of which the provider tells
 * nanoseconds, then by its sequence, as one transaction there writes several at the same time.
 *
 * A time in the future counts as now: it would shut out all events until then.
 *
 * @param ahead How far the clock of the source may be ahead
 */
export function eventPosition(
  createdAt: string,
  sequence = '0',
  ahead: DurationLike = SKEW
): string {
  const counted = withoutTimeToCome(createdAt, ahead)
  const seconds = DateTime.fromISO(counted, { zone: 'utc' }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  const fraction = /[.,](\d+)/.exec(counted)?.[1] ?? ''
  return `${seconds}.${fraction.slice(0, 9).padEnd(9, '0')}Z/${sequence.padStart(20, '0')}`
}

function withoutTimeToCome(createdAt: string, ahead: DurationLike): string {
  const [at, now] = [DateTime.fromISO(createdAt), DateTime.utc()]
  if (at > now.plus(SKEW)) noteTimeToCome(createdAt)
  return at > now.plus(ahead) ? isoTimestamp(now) : createdAt
}

/** The time of a position, in the milliseconds this service keeps. */
export function momentOf(position: string): DateTime {
  return DateTime.fromISO(position.slice(0, position.indexOf('/')), { zone: 'utc' })
}
