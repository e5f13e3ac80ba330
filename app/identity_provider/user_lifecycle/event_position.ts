import { DateTime } from 'luxon'

/**
 * Where an event stands among those of one user, as text that sorts: by its time, of which the provider tells
 * nanoseconds, then by its sequence, as one transaction there writes several at the same time.
 */
export function eventPosition(createdAt: string, sequence = '0'): string {
  const seconds = DateTime.fromISO(createdAt, { zone: 'utc' }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  const fraction = /[.,](\d+)/.exec(createdAt)?.[1] ?? ''
  return `${seconds}.${fraction.slice(0, 9).padEnd(9, '0')}Z/${sequence.padStart(20, '0')}`
}

/** The time of a position, in the milliseconds this service keeps. */
export function momentOf(position: string): DateTime {
  return DateTime.fromISO(position.slice(0, position.indexOf('/')), { zone: 'utc' })
}
