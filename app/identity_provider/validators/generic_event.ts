import { DateTime } from 'luxon'
import { isPlainlyWritten } from '#core/values/email'
import {
  type AddressEvent,
  LIFECYCLE_EVENTS,
  type LifecycleEventType,
} from '#app/identity_provider/values/lifecycle_event'
import {
  eventTypeValidator,
  genericEventValidator,
} from '#app/identity_provider/validators/generic_event_validator'

/**
 * An event in the form of specification 4.7; null for a type this service does not handle, and
 * about an address that only resembles one a record could have.
 *
 * @describedBy generic_event_validator#eventTypeValidator
 * @describedBy generic_event_validator#genericEventValidator
 * @throws ValidationError
 */
export async function readGenericEvent(body: unknown): Promise<AddressEvent | null> {
  const { eventType } = await eventTypeValidator.validate(body)
  const type = typeOf(eventType)
  if (type === null) return null
  const { user, orgId, occurredAt, eventId } = await genericEventValidator.validate(body)
  if (!isPlainlyWritten((body as { user: { email: string } }).user.email)) return null
  return {
    type,
    email: user.email,
    userId: user.id || null,
    orgId: orgId || null,
    // Empty names mean "not stated".
    names: {
      firstName: user.firstName || undefined,
      lastName: user.lastName || undefined,
      displayName: user.displayName || undefined,
    },
    isDated: occurredAt !== undefined,
    eventId: eventId || null,
    occurredAt: occurredAt ? DateTime.fromISO(occurredAt, { zone: 'utc' }) : DateTime.utc(),
  }
}

function typeOf(name: string): LifecycleEventType | null {
  // Sources other than the specification's say it this way (provider contract, 5.2).
  if (name === 'user.deleted') return 'user.removed'
  return LIFECYCLE_EVENTS.find((type) => type === name) ?? null
}
