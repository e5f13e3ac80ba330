import type { AuditAction } from '#core/audit/audit_actions'
import type { AccessScope } from '#core/events/access_changed'
import type { AuditEntryResource } from '#app/audit/transformers/audit_entry_resource'

export const DOMAINS = ['access', 'users', 'audit'] as const
export type Domain = (typeof DOMAINS)[number]

/** Audited changes to user records. */
export const LIFECYCLE_ACTIONS = [
  'user.activated',
  'user.deactivated',
  'user.erased',
  'user.identity_changed',
  'user.moved',
  'user.profile_changed',
] as const satisfies AuditAction[]

/** Decisions in these scopes may have changed. */
export interface AccessEvent {
  type: 'access'
  revision: number
  scopes: AccessScope[]
}

export interface UserEvent {
  type: 'users'
  revision: number
  action: (typeof LIFECYCLE_ACTIONS)[number]
  /** Null once the user is erased. */
  email: string | null
  at: string
}

export interface AuditEvent {
  type: 'audit'
  revision: number
  entry: AuditEntryResource
}

/** Changes are no longer known, so everything derived earlier may be outdated. */
export interface ResetEvent {
  type: 'reset'
  revision: number
}

/** See changes.md#events. */
export type FeedEvent = AccessEvent | UserEvent | AuditEvent | ResetEvent
