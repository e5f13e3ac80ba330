/** What a webhook can subscribe to (webhooks.md#events). */
export const EVENT_TYPES = [
  'notification.sent',
  'notification.failed',
  'notification.skipped',
  'notification.bounced',
  'user.deactivated',
  'user.reactivated',
  'user.erased',
  'access.changed',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Sent to a single webhook on request. */
export const TEST_EVENT = 'webhook.test'

/** Found in the audit trail, by the action of the entry. */
export const USER_EVENTS = {
  'user.deactivated': 'user.deactivated',
  'user.activated': 'user.reactivated',
} as const satisfies Record<string, EventType>

export const NOTIFICATION_EVENTS: readonly EventType[] = [
  'notification.sent',
  'notification.failed',
  'notification.skipped',
]

/** Derived from logs of changes in the background. */
export const RELAYED_EVENTS: readonly EventType[] = [
  'user.deactivated',
  'user.reactivated',
  'access.changed',
]
