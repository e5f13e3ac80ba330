import logger from '@adonisjs/core/services/logger'
import { isoTimestamp } from '#core/database/columns'
import type User from '#app/profiles/models/user'
import { eventPosition } from '#app/identity_provider/values/event_position'
import type { AddressEvent } from '#app/identity_provider/values/lifecycle_event'

const SAYS_INACTIVE = ['user.deactivated', 'user.removed']

/** Its sources have clocks of their own, so none may be ahead. */
export function positionOf({ occurredAt }: AddressEvent): string {
  return eventPosition(isoTimestamp(occurredAt), '0', {})
}

/**
 * Whether a later event has set whether the person is active. Of two events with the same time, the
 * one that deactivates wins.
 */
export function isOlderThanStatus({ statusEventAt }: User, event: AddressEvent): boolean {
  if (!event.isDated || statusEventAt === null) return false
  const position = positionOf(event)
  if (position === statusEventAt) return event.type === 'user.reactivated'
  return position < statusEventAt
}

export const saysInactive = ({ type }: AddressEvent) => SAYS_INACTIVE.includes(type)

let isNoted = false

/** Once per process: such events cannot be distinguished from repetitions. */
export function noteUndated({ isDated, eventId }: AddressEvent) {
  if (isDated || eventId || isNoted) return
  isNoted = true
  logger.warn(
    'A webhook event has neither occurredAt nor eventId, so it counts again whenever it is repeated'
  )
}
