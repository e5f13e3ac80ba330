import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { latestWait } from '#app/delivery/actions/new_pending_send'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'

/**
 * Postpones a claimed send, because its recipient has quiet hours now. A retry period that has
 * begun is longer by that time.
 */
export function deferPending(
  { id, claim }: Pick<PendingSend, 'id' | 'claim'>,
  until: DateTime
): Promise<void> {
  return transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx })
      .where({ id, claim })
      .forUpdate()
      .first()
    if (!pending) return
    const waitUntil = pending.waitUntil ?? latestWait()
    const dueAt = DateTime.min(until, waitUntil)
    if (pending.retryHours === null) {
      const giveUpAt = pending.giveUpAt.plus(dueAt.diffNow())
      await pending.merge({ giveUpAt }).save()
    } else {
      await Notification.query({ client: trx })
        .where({ id: pending.notificationId, status: 'scheduled' })
        .update({ status_reason: 'QUIET_HOURS', scheduled_for: toDatabaseTimestamp(dueAt) })
    }
    await pending.merge({ dueAt, waitUntil, claim: '', claims: 0 }).save()
  })
}

/** Quiet hours that change again and again do not postpone a message forever. */
export const mayWait = ({ waitUntil }: Pick<PendingSend, 'waitUntil'>) =>
  waitUntil === null || waitUntil > DateTime.utc()
