import { transaction } from '#core/database/transaction'
import { type InternalCaller } from '#app/auth/values/internal_caller'
import { AlreadySent } from '#app/delivery/exceptions'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import PendingSend from '#app/delivery/models/pending_send'
import type { SendResult } from '#app/delivery/values/notification_request'
import { NotificationNotFound } from '#app/notifications/exceptions'
import Notification from '#app/notifications/models/notification'

const CANCELLED = { status: 'skipped', statusReason: 'CANCELLED' } as const

/**
 * Cancels a message that waits for its time. What is in the inbox stays there.
 * @throws NotificationNotFound, also if it belongs to another application; AlreadySent
 */
export function cancelNotification(id: number, caller: InternalCaller): Promise<SendResult> {
  return transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx })
      .where('notificationId', id)
      .forUpdate()
      .first()
    const notification = await Notification.query({ client: trx }).where({ id }).forUpdate().first()
    if (!notification || !belongsTo(notification, caller)) throw new NotificationNotFound()
    const { status } = notification
    if (status !== 'scheduled') throw new AlreadySent({ details: { status } })
    await notification.merge(CANCELLED).save()
    await pending?.delete()
    await storeOutcomes([{ id, outcome: CANCELLED }], trx)
    return { id, ...CANCELLED }
  })
}

/** An entry of an earlier application with the same code does not belong to this one. */
function belongsTo({ appCode, createdAt }: Notification, caller: InternalCaller) {
  if (caller.kind === 'platform') return true
  return appCode === caller.appCode && createdAt >= caller.appCreatedAt
}
