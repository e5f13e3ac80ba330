import logger from '@adonisjs/core/services/logger'
import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type User from '#app/profiles/models/user'
import { eventPosition, timeOfPosition } from '#app/identity_provider/user_lifecycle/event_position'
import type { AddressEvent } from '#app/identity_provider/user_lifecycle/lifecycle_event'

const DEACTIVATIONS = ['user.deactivated', 'user.removed']

/** Allows no clock skew, because any source may send such events. */
export function positionOf({ occurredAt }: AddressEvent): string {
  return eventPosition(isoTimestamp(occurredAt), '0', {})
}

/**
 * A deactivation wins over a reactivation at the same time, and whenever one of the two times is in
 * the future: clocks that are out of step must never preserve access.
 */
export function isOlderThanStatus({ statusEventAt }: User, event: AddressEvent): boolean {
  if (!event.isDated || statusEventAt === null) return false
  const position = positionOf(event)
  if (position >= statusEventAt) {
    return position === statusEventAt && event.type === 'user.reactivated'
  }
  return !(isDeactivation(event) && isInFuture(event.occurredAt, timeOfPosition(statusEventAt)))
}

const isInFuture = (...times: DateTime[]) => times.some((time) => time > DateTime.utc())

export const isDeactivation = ({ type }: AddressEvent) => DEACTIVATIONS.includes(type)

let hasWarned = false

/** Warns once per process, because repetitions of such events cannot be recognised. */
export function warnAboutUndatedEvent({ isDated, eventId }: AddressEvent) {
  if (isDated || eventId || hasWarned) return
  hasWarned = true
  logger.warn('A webhook event has neither occurredAt nor eventId, so duplicates are applied again')
}
