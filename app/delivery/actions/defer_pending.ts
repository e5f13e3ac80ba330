import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { latestWait } from '#app/delivery/actions/new_pending_send'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'

/** Postpones a claimed send that has not begun, because its recipient has quiet hours now. */
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
    const notification = await Notification.query({ client: trx })
      .where({ id: pending.notificationId, status: 'scheduled' })
      .forUpdate()
      .first()
    if (!notification) return
    const latest = pending.waitUntil ?? latestWait()
    const dueAt = DateTime.min(until, latest)
    await notification.merge({ statusReason: 'QUIET_HOURS', scheduledFor: dueAt }).save()
    await pending.merge({ dueAt, waitUntil: latest, claim: '', claims: 0 }).save()
  })
}

export const mayWait = ({ retryHours, waitUntil }: PendingSend) =>
  retryHours !== null && (waitUntil === null || waitUntil > DateTime.utc())
