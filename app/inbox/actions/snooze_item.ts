import { DateTime } from 'luxon'
import { invalidField } from '#core/exceptions/problems'
import { WAKE, changeItem, snooze } from '#app/inbox/actions/change_item'

const LONGEST = { years: 1 }

/**
 * Hides an item until then, or shows it again.
 * @param until null for now
 * @throws NotificationNotFound, ValidationError if the time is past or more than a year ahead
 */
export function snoozeItem(email: string, id: number, until: DateTime | null) {
  if (until === null) return changeItem(email, id, WAKE)
  const now = DateTime.utc()
  if (until <= now || until > now.plus(LONGEST)) {
    const message = 'until must be in the future, at most a year ahead, or null to end the snooze'
    throw invalidField('until', 'future', message)
  }
  return changeItem(email, id, snooze(until))
}
