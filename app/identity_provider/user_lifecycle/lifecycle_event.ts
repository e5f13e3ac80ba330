import type { DateTime } from 'luxon'
import type { Names } from '#app/profiles/values/names'

/** The types of the generic format (identity-provider.md#event-types). */
export const LIFECYCLE_EVENTS = [
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.removed',
] as const

/** The provider's own format has two more. */
export type LifecycleEventType = (typeof LIFECYCLE_EVENTS)[number] | 'user.locked' | 'user.unlocked'

export interface LifecycleEvent {
  type: LifecycleEventType
  /** Null if the event names the user by the provider's id only. */
  email: string | null
  userId: string | null
  orgId: string | null
  names: Names
  /** The time of receipt if the event has none. */
  occurredAt: DateTime
}

export interface AddressEvent extends LifecycleEvent {
  email: string
  isDated?: boolean
  eventId?: string | null
}

export interface ProviderUserEvent extends LifecycleEvent {
  userId: string
  /** See `eventPosition`. Equal positions are the same event. */
  position: string
}
