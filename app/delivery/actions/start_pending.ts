import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { beginScheduled } from '#app/delivery/actions/begin_scheduled'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import type { Channel } from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'

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
    if (!(await beginScheduled(notificationId, channels[0], trx))) return null
    const giveUpAt = DateTime.utc().plus({ hours: retryHours ?? 0 })
    await pending.merge({ giveUpAt, retryHours: null }).save()
    return { id, claim, notificationId, channels, giveUpAt }
  })
}
