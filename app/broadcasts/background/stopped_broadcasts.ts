import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type { WorkSource } from '#core/background/work_source'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { stoppedRecipients } from '#app/broadcasts/queries/stopped_recipients'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import Delivery from '#app/delivery/models/delivery'
import { outcomeOfDigest } from '#app/delivery/digests/leave_to_digest'
import DigestItem from '#app/delivery/models/digest_item'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import Notification from '#app/notifications/models/notification'

const CHUNK = 200

/**
 * Counts those who waited for another try when their broadcast ended
 * (broadcasts.md#pausing-resuming-and-cancelling).
 */
export class StoppedBroadcasts implements WorkSource {
  readonly name = 'recipients of stopped broadcasts'

  async work(): Promise<boolean> {
    // Usually there are none, and on SQLite even an empty update blocks other writers.
    if ((await stoppedRecipients().select('id').first()) === null) return false
    return transaction(async (trx) => {
      const recipients = await stoppedRecipients(trx)
        .limit(CHUNK)
        .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
      await recordFailedMails(recipients, trx)
      const byBroadcast = Map.groupBy(recipients, ({ broadcastId }) => broadcastId)
      for (const [id, waiting] of byBroadcast) await decide(id, waiting, trx)
      return recipients.length === CHUNK
    })
  }
}

const notificationIds = (recipients: BroadcastRecipient[]) =>
  recipients.map(({ notificationId }) => notificationId!)

/** The last try has become the final one. */
async function recordFailedMails(
  recipients: BroadcastRecipient[],
  client: TransactionClientContract
) {
  const ids = notificationIds(recipients)
  const [tried, recorded] = await Promise.all([
    DeliveryAttempt.query({ client })
      .whereIn('notificationId', ids)
      .where('channel', 'email')
      .orderBy('id'),
    Delivery.query({ client }).whereIn('notificationId', ids).where('channel', 'email'),
  ])
  const known = new Set(recorded.map(({ notificationId }) => notificationId))
  const attempts = tried.filter(({ notificationId }) => !known.has(notificationId))
  const byNotification = Map.groupBy(attempts, ({ notificationId }) => notificationId)
  await Delivery.createMany(
    [...byNotification].map(([notificationId, made]) => ({
      notificationId,
      channel: 'email',
      status: 'failed',
      attempts: made.length,
      error: made.at(-1)!.text,
    })),
    { client }
  )
}

/** It was cancelled on its own, which has stored its outcome. */
const isCancelled = ({ status, statusReason }: Notification) =>
  status === 'skipped' && statusReason === 'CANCELLED'

const outcomeOf = ({ id, status, statusReason }: Notification) => ({
  id,
  outcome: { status, statusReason },
})

/** A recipient whose push message was accepted has been reached. */
async function decide(
  broadcastId: number,
  recipients: BroadcastRecipient[],
  client: TransactionClientContract
) {
  const ended = await endWaiting(broadcastId, recipients, client)
  const notifications = await Notification.query({ client })
    .whereIn('id', notificationIds(recipients))
    .select('id', 'status', 'statusReason')
  const others = notifications.filter((each) => !ended.has(each.id) && !isCancelled(each))
  await storeOutcomes(others.map(outcomeOf), client)
  const known = new Map(notifications.map((notification) => [notification.id, notification]))
  const byStatus = Map.groupBy(recipients, ({ notificationId }) => {
    const status = known.get(notificationId!)?.status
    return status === 'sent' || status === 'skipped' ? status : 'failed'
  })
  for (const [status, decided] of byStatus) {
    const ids = decided.map(({ id }) => id)
    await BroadcastRecipient.query({ client }).whereIn('id', ids).update({ status })
    await Broadcast.query({ client }).where('id', broadcastId).increment(status, ids.length)
  }
}

/** Their quiet hours have not ended. @returns their log entries */
async function endWaiting(
  broadcastId: number,
  recipients: BroadcastRecipient[],
  client: TransactionClientContract
): Promise<Set<number>> {
  const scheduled = await Notification.query({ client })
    .whereIn('id', notificationIds(recipients))
    .where('status', 'scheduled')
    .orderBy('id')
    .forUpdate()
    .select('id', 'digestId')
  await settleDigested(scheduled, client)
  const waiting = scheduled.filter(({ digestId }) => digestId === null)
  if (waiting.length === 0) return new Set()
  const { status, statusReason } = await Broadcast.findOrFail(broadcastId, { client })
  const outcome: DeliveryOutcome =
    status === 'cancelled'
      ? { status: 'skipped', statusReason: 'CANCELLED' }
      : { status: 'failed', statusReason }
  const ids = waiting.map(({ id }) => id)
  await Notification.query({ client })
    .whereIn('id', ids)
    .update({ status: outcome.status, status_reason: outcome.statusReason })
  await DigestItem.query({ client }).whereIn('notificationId', ids).delete()
  await storeOutcomes(
    ids.map((id) => ({ id, outcome })),
    client
  )
  return new Set(ids)
}

/** Only their push messages waited: their mails were sent with digests. */
async function settleDigested(entries: Notification[], client: TransactionClientContract) {
  for (const { id, digestId } of entries) {
    if (digestId === null) continue
    const { status, statusReason } = await outcomeOfDigest(digestId, client)
    await Notification.query({ client })
      .where({ id })
      .update({ status, status_reason: statusReason })
  }
}
