import { DateTime } from 'luxon'
import { isPlainlyWritten } from '#core/values/email'
import {
  type AddressEvent,
  LIFECYCLE_EVENTS,
  type LifecycleEventType,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'
import {
  eventTypeValidator,
  genericEventValidator,
} from '#app/identity_provider/validators/generic_event_validator'

/**
 * Null for an unknown type (identity-provider.md#generic-event), and for an address that only
 * resembles that of a record.
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
  // Some sources use this name (identity-provider.md#event-types).
  if (name === 'user.deleted') return 'user.removed'
  return LIFECYCLE_EVENTS.find((type) => type === name) ?? null
}
