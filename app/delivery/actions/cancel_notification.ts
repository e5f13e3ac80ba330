import { transaction } from '#core/database/transaction'
import { type LogScope, findLogEntry } from '#app/delivery/actions/find_log_entry'
import { AlreadySent } from '#app/delivery/exceptions'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import DigestItem from '#app/delivery/models/digest_item'
import PendingSend from '#app/delivery/models/pending_send'
import type { SendResult } from '#app/delivery/values/notification_request'

const CANCELLED = { status: 'skipped', statusReason: 'CANCELLED' } as const

/**
 * Cancels a message that waits for its time. What is in the inbox stays there.
 * @throws NotificationNotFound, also for entries outside the scope; AlreadySent
 */
export function cancelNotification(id: number, scope: LogScope): Promise<SendResult> {
  return transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx })
      .where('notificationId', id)
      .forUpdate()
      .first()
    const notification = await findLogEntry(id, scope, trx)
    const { status, digestId } = notification
    // Only its push can still wait if the digest was sent.
    if (status !== 'scheduled' || digestId !== null) throw new AlreadySent({ details: { status } })
    await notification.merge(CANCELLED).save()
    await pending?.delete()
    await DigestItem.query({ client: trx }).where('notificationId', id).delete()
    await storeOutcomes([{ id, outcome: CANCELLED }], trx)
    return { id, ...CANCELLED }
  })
}
