import { DateTime } from 'luxon'

/** Sorts the events of one user by time, then by sequence: one transaction there writes several. */
export function eventPosition(createdAt: string, sequence = '0'): string {
  const seconds = DateTime.fromISO(createdAt, { zone: 'utc' }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  const fraction = /[.,](\d+)/.exec(createdAt)?.[1] ?? ''
  return `${seconds}.${fraction.slice(0, 9).padEnd(9, '0')}Z/${sequence.padStart(20, '0')}`
}

export function timeOfPosition(position: string): DateTime {
  return DateTime.fromISO(position.slice(0, position.indexOf('/')), { zone: 'utc' })
}
