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
  /** The channels to try again; none if the send has ended. */
  channels: Channel[]
}

/** Records the result of a round: the send is scheduled again, or ended and its content deleted. */
export async function recordRound({ id, claim }: ClaimedSend, round: PendingRound) {
  const { outcome, results, channels } = round
  await transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx }).where('id', id).forUpdate().first()
    if (!pending) return
    // Another process has claimed it, because this round took longer than its claim.
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
    const dueAt = nextRound(rounds, giveUpAt)
    await pending.merge({ rounds, claims: 0, channels, dueAt }).save()
  })
}

/** One delivery counts the attempts of all rounds through a channel. */
export async function addAttempts(
  key: { notificationId: number; channel: Channel },
  { status, attempts, providerMessageId, error }: DeliveryResult,
  client: TransactionClientContract
) {
  const delivery = await Delivery.firstOrNew(key, { attempts: 0 }, { client })
  delivery.merge({ status, attempts: delivery.attempts + attempts, providerMessageId, error })
  await delivery.save()
}
