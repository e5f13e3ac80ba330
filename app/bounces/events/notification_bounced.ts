import { BaseEvent } from '@adonisjs/core/events'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Notification from '#app/notifications/models/notification'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

/**
 * A mail came back or was reported as spam. Emitted once per notification and kind, before the
 * commit, so that listeners can add rows in the same transaction.
 */
export default class NotificationBounced extends BaseEvent {
  constructor(
    readonly notification: Notification,
    readonly kind: BounceKind,
    /** The reply of the mail server; null if none may be shown */
    readonly text: string | null,
    /** Why the address gets no more mail; null if it still does */
    readonly suppression: SuppressionReason | null,
    readonly trx: TransactionClientContract
  ) {
    super()
  }
}
