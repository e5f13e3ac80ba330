import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

// Never what a message says, and no secret.

/** How a channel of a notification ended. */
export interface ChannelOutcome {
  channel: 'email' | 'push'
  status: 'sent' | 'failed'
}

/** The outcome of a notification. Never what it says. */
export interface NotificationEventData {
  application: string
  /** The id of the log entry */
  notificationId: number
  /** The notification type */
  type: string
  recipientEmail: string
  /** A code of the status reasons; null if there is none */
  reason: string | null
  /** Empty if nothing was sent */
  channels: ChannelOutcome[]
  broadcastId: number | null
}

/** A report that a mail did not arrive, or was unwanted. */
export interface BounceEventData {
  application: string
  /** The id of the log entry */
  notificationId: number
  /** The notification type */
  type: string
  recipientEmail: string
  kind: BounceKind
  /** Why the address gets no more mail; null if it still does */
  suppression: SuppressionReason | null
}

/** A change to a user who belongs to the application. */
export interface UserEventData {
  application: string
  email: string
}

/** Decisions about a user in the application may have changed. */
export interface AccessEventData {
  application: string
  /** Null if it may concern every user */
  email: string | null
  /** With this value in `Concierge-At-Least`, a check reflects the change */
  revision: number
}

export interface TestEventData {
  application: string
  webhookId: number
}

/** What each type of event contains. The API description has these comments and types. */
export interface EventsByType {
  /** A notification was sent through at least one channel. */
  'notification.sent': NotificationEventData
  /** A notification could not be sent, and is not tried again. */
  'notification.failed': NotificationEventData
  /** A notification was not sent on purpose, such as for a user who switched it off. */
  'notification.skipped': NotificationEventData
  /** A mail was reported as undeliverable or unwanted after it had been sent. */
  'notification.bounced': BounceEventData
  /** A user of the application was deactivated. Checks deny them everything. */
  'user.deactivated': UserEventData
  /** A user of the application was reactivated. */
  'user.reactivated': UserEventData
  /** Everything about a user of the application was erased. Erase your data about them. */
  'user.erased': UserEventData
  /** Checks of the application may have other results, for a user or for all of them. */
  'access.changed': AccessEventData
  /** An administrator asked for it, to test the webhook. */
  'webhook.test': TestEventData
}

export type EventData = EventsByType[keyof EventsByType]
