import type { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { currentTime } from '#core/values/clock'
import { InvalidWindow } from '#app/permissions/exceptions'

/** When a role assignment, an override or an administrator counts. Null leaves a side open. */
export interface TimeWindow {
  validFrom: DateTime | null
  validUntil: DateTime | null
}

export const WINDOW_STATES = ['active', 'scheduled', 'ended'] as const

export type WindowState = (typeof WINDOW_STATES)[number]

/** See permissions.md#time-windows. In SQL, `isActive` states the same rule. */
export function windowState(
  { validFrom, validUntil }: TimeWindow,
  now = currentTime()
): WindowState {
  if (validUntil !== null && validUntil.toMillis() <= now) return 'ended'
  return validFrom !== null && validFrom.toMillis() > now ? 'scheduled' : 'active'
}

/**
 * @param field the entry of a list that contains the window
 * @throws InvalidWindow if it ends before it begins
 */
export function requireValidWindow({ validFrom, validUntil }: TimeWindow, field?: string) {
  if (validFrom === null || validUntil === null || validFrom < validUntil) return
  const window = { validFrom: isoTimestamp(validFrom), validUntil: isoTimestamp(validUntil) }
  throw new InvalidWindow({ details: { ...(field !== undefined && { field }), ...window } })
}

/** What a request leaves out is open. */
export function toWindow({ validFrom = null, validUntil = null }: Partial<TimeWindow>): TimeWindow {
  return { validFrom, validUntil }
}

/** For `insertRows`. */
export function windowColumns(window: Partial<TimeWindow>) {
  const { validFrom, validUntil } = toWindow(window)
  return { valid_from: isoTimestamp(validFrom), valid_until: isoTimestamp(validUntil) }
}

/** @param now in milliseconds */
export function windowResource(window: TimeWindow, now = currentTime()) {
  return {
    validFrom: isoTimestamp(window.validFrom),
    validUntil: isoTimestamp(window.validUntil),
    state: windowState(window, now),
  }
}
