import type { DateTime } from 'luxon'
import type { Names } from '#app/profiles/values/names'

/** What the identity provider reports about a person's life there (identity-provider.md#event-types). */
export const LIFECYCLE_EVENTS = [
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.removed',
] as const

/** Only the provider's own format knows the last two (identity-provider.md#event-types). */
export type LifecycleEventType = (typeof LIFECYCLE_EVENTS)[number] | 'user.locked' | 'user.unlocked'

/** The one form both formats of the webhook are brought to. */
export interface LifecycleEvent {
  type: LifecycleEventType
  /** Null where the event names the person by the provider's id alone. */
  email: string | null
  userId: string | null
  orgId: string | null
  names: Names
  /** The time of the change at its source; of its receipt where the source gives none. */
  occurredAt: DateTime
}

/** An event of the generic form: about an address, and without a place among other events. */
export interface AddressEvent extends LifecycleEvent {
  email: string
  /** Whether the source gave a time, so that old events can be recognised. */
  isDated?: boolean
  /** Identifies the event if it is repeated. */
  eventId?: string | null
}

/** An event of the provider's own form: about one of its users. */
export interface ProviderUserEvent extends LifecycleEvent {
  userId: string
  /** Where it stands among the events of this user: later is greater, equal is the same event. */
  position: string
}
