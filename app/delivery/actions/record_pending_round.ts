import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { Deadline } from '#core/values/deadline'
import { addAttempts } from '#app/delivery/actions/add_attempts'
import { leaveToDigest } from '#app/delivery/digests/leave_to_digest'
import { settleDigest } from '#app/delivery/digests/settle_digest'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import { nextRoundAt } from '#app/delivery/values/send_retries'
import Notification from '#app/notifications/models/notification'
import sendingConfig from '#config/sending'

const { leaseMs, maxUnconfirmed, roundMs } = sendingConfig

export interface PendingRound {
  outcome: DeliveryOutcome
  results: Map<Channel, DeliveryResult>
  channels: Channel[]
  /** Whether it does not count, because the mail waited for a connection in vain */
  isPostponed?: boolean
}

export interface RoundOutcome extends DeliveryOutcome {
  /** Whether there will be another round */
  isPending: boolean
  isPostponed?: boolean
}

/** Retries for as long as the claim lasts, because an unrecorded message would be sent again. */
export async function recordPendingRound(
  send: ClaimedSend,
  round: PendingRound
): Promise<RoundOutcome> {
  const isPending = await retryWhileUnavailable(
    () => recordRound(send, round),
    new Deadline(leaseMs - roundMs)
  )
  return { ...round.outcome, isPending, isPostponed: round.isPostponed }
}

/**
 * Schedules the next round, or deletes the pending send if it has ended.
 * @returns whether there will be another round
 */
function recordRound({ id, claim }: ClaimedSend, round: PendingRound): Promise<boolean> {
  const { results } = round
  const mayContinue = round.channels.length > 0
  return transaction(async (trx) => {
    const pending = await PendingSend.query({ client: trx }).where('id', id).forUpdate().first()
    if (!pending) return mayContinue
    // The round took longer than its claim, and another process has claimed the send.
    const isOver = round.outcome.status === 'sent' && !round.isPostponed
    if (pending.claim !== claim && !isOver) return mayContinue
    const { notificationId, giveUpAt } = pending
    if (round.outcome.status === 'skipped' && (await leaveToDigest(notificationId, trx))) {
      await pending.delete()
      return false
    }
    const outcome = await withEarlierRounds(notificationId, round, trx)
    for (const [channel, result] of results) {
      if (result.wasNotOffered) continue
      await addAttempts({ notificationId, channel }, result, trx)
    }
    await Notification.query({ client: trx })
      .where('id', notificationId)
      .update({ status: outcome.status, status_reason: outcome.statusReason })
    if (round.isPostponed) {
      const [dueAt, { channels }] = [DateTime.utc(), round]
      // Even if it was the last round, it is repeated.
      await pending
        .merge({ claims: 0, channels, dueAt, giveUpAt: DateTime.max(giveUpAt, dueAt) })
        .save()
      return true
    }
    const isUnconfirmed = results.get('email')?.isUnconfirmed === true
    const unconfirmed = pending.unconfirmed + Number(isUnconfirmed)
    const channels =
      unconfirmed < maxUnconfirmed
        ? round.channels
        : round.channels.filter((channel) => channel !== 'email')
    if (channels.length === 0) {
      await pending.delete()
      await storeOutcomes([{ id: notificationId, outcome }], trx)
      if (pending.digest) await settleDigest(notificationId, round, trx)
      return false
    }
    const rounds = pending.rounds + 1
    const dueAt = nextRoundAt(rounds, giveUpAt, isUnconfirmed ? unconfirmed : 0)
    await pending.merge({ rounds, claims: 0, unconfirmed, channels, dueAt }).save()
    return true
  })
}

/** Another channel may have delivered the message, such as the mail of a digest. */
async function withEarlierRounds(
  notificationId: number,
  { outcome, results }: PendingRound,
  client: TransactionClientContract
): Promise<DeliveryOutcome> {
  if (outcome.status === 'sent') return outcome
  const delivered = await Delivery.query({ client })
    .where({ notificationId, status: 'sent' })
    .whereNotIn('channel', [...results.keys()])
    .first()
  return delivered ? { ...outcome, status: 'sent' } : outcome
}
