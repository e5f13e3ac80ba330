import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import { type DeliveryOutcome, unfinishedReason } from '#app/delivery/values/delivery_outcome'
import Notification from '#app/notifications/models/notification'

const UNFINISHED = unfinishedReason('email')

/**
 * Gives the notifications in a digest its outcome. Those that a push message has delivered keep
 * theirs, and the reason of one that push did not deliver stays.
 */
export async function settleDigest(
  digestId: number,
  outcome: DeliveryOutcome,
  trx: TransactionClientContract
) {
  const open = await Notification.query({ client: trx })
    .where({ digestId, status: 'failed' })
    .orderBy('id')
    .select('id', 'statusReason')
    .forUpdate()
  const unfinished = open.filter(({ statusReason }) => statusReason === UNFINISHED)
  await record(unfinished, outcome, trx)
  if (outcome.status !== 'sent') return
  const unpushed = open.filter(({ statusReason }) => statusReason !== UNFINISHED)
  const byReason = Map.groupBy(unpushed, ({ statusReason }) => statusReason)
  for (const [statusReason, some] of byReason) {
    await record(some, { status: 'sent', statusReason }, trx)
  }
}

async function record(
  notifications: Notification[],
  { status, statusReason }: DeliveryOutcome,
  trx: TransactionClientContract
) {
  if (notifications.length === 0) return
  const ids = notifications.map(({ id }) => id)
  await Notification.query({ client: trx })
    .whereIn('id', ids)
    .update({ status, status_reason: statusReason })
  const outcomes = ids.map((id) => ({ id, outcome: { status, statusReason } }))
  await storeOutcomes(outcomes, trx)
}
