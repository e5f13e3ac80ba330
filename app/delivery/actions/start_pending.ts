import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import type { Channel } from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import { unfinishedReason } from '#app/delivery/values/delivery_outcome'
import Notification from '#app/notifications/models/notification'

/**
 * Begins the retry period of a claimed send that has waited, after which it can no longer be
 * cancelled. Null if it was cancelled or erased, or claimed by another process.
 */
export function startPending(
  { id, claim }: Pick<PendingSend, 'id' | 'claim'>,
  channels: Channel[]
): Promise<ClaimedSend | null> {
  return transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx })
      .where({ id, claim })
      .forUpdate()
      .first()
    if (!pending) return null
    const { notificationId, retryHours } = pending
    const changed = await Notification.query({ client: trx })
      .where({ id: notificationId, status: 'scheduled' })
      .update({ status: 'failed', status_reason: unfinishedReason(channels[0]) })
    if (Number(changed) === 0) return null
    const giveUpAt = DateTime.utc().plus({ hours: retryHours ?? 0 })
    await pending.merge({ giveUpAt, retryHours: null }).save()
    return { id, claim, notificationId, channels, giveUpAt }
  })
}
