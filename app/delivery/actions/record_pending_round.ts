import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import { nextRound } from '#app/delivery/values/retry_times'
import Notification from '#app/notifications/models/notification'

export interface PendingRound {
  outcome: DeliveryOutcome
  results: Map<Channel, DeliveryResult>
  channels: Channel[]
}

/** Schedules the next round, or deletes the pending send if it has ended. */
export async function recordRound({ id, claim }: ClaimedSend, round: PendingRound) {
  const { outcome, results, channels } = round
  await transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx }).where('id', id).forUpdate().first()
    if (!pending) return
    // The round took longer than its claim, and another process has claimed the send.
    if (pending.claim !== claim && outcome.status !== 'sent') return
    const { notificationId, giveUpAt } = pending
    for (const [channel, result] of results) {
      await addAttempts({ notificationId, channel }, result, trx)
    }
    await Notification.query({ client: trx })
      .where('id', notificationId)
      .update({ status: outcome.status, status_reason: outcome.statusReason })
    if (channels.length === 0) return pending.delete()
    const rounds = pending.rounds + 1
    await pending.merge({ rounds, channels, dueAt: nextRound(rounds, giveUpAt) }).save()
  })
}

export async function addAttempts(
  key: { notificationId: number; channel: Channel },
  { status, attempts, providerMessageId, error }: DeliveryResult,
  client: TransactionClientContract
) {
  const delivery = await Delivery.firstOrNew(key, { attempts: 0 }, { client })
  delivery.merge({ status, attempts: delivery.attempts + attempts, providerMessageId, error })
  await delivery.save()
}
