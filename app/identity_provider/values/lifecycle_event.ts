import type { DateTime } from 'luxon'
import type { Names } from '#app/profiles/values/names'

/** What the identity provider reports about a person's life there (specification part 6). */
export const LIFECYCLE_EVENTS = [
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.removed',
] as const

export type LifecycleEventType = (typeof LIFECYCLE_EVENTS)[number]

export interface LifecycleEvent {
  type: LifecycleEventType
  email: string
  userId: string | null
  orgId: string | null
  names: Names
  /** The time of the change at its source; of its receipt where the source gives none. */
  occurredAt: DateTime
}

/** The type under the name the specification gives it; null for one this service does not handle. */
export function lifecycleEventType(name: string): LifecycleEventType | null {
  // Sources other than the specification's say it this way (provider contract, 5.2).
  if (name === 'user.deleted') return 'user.removed'
  return LIFECYCLE_EVENTS.find((type) => type === name) ?? null
}
