import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { Channel } from '#app/delivery/models/delivery'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import { recordStatements } from '#app/delivery/queries/record_statements'
import { type DeliveryOutcome, unfinishedReason } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'

const UNFINISHED = unfinishedReason('email')

interface EndedDigest {
  outcome: DeliveryOutcome
  results: Map<Channel, DeliveryResult>
}

/**
 * Gives the notifications in a digest its outcome (digests.md#digest-mails). Those that push has
 * delivered, or will, keep theirs.
 */
export async function settleDigest(
  digestId: number,
  { outcome, results }: EndedDigest,
  trx: TransactionClientContract
) {
  const all = await Notification.query({ client: trx })
    .where({ digestId })
    .orderBy('id')
    .select('id', 'status', 'statusReason')
    .forUpdate()
  await recordMails(all, results.get('email'), trx)
  await record(all.filter(hasMailOnly), outcome, trx)
  if (outcome.status !== 'sent') return
  const unpushed = all.filter((each) => each.status === 'failed' && !hasMailOnly(each))
  const byReason = Map.groupBy(unpushed, ({ statusReason }) => statusReason)
  for (const [statusReason, some] of byReason) {
    await record(some, { status: 'sent', statusReason }, trx)
  }
}

/** Push was not chosen, or had nowhere to go when its quiet hours ended. */
const hasMailOnly = ({ status, statusReason }: Notification) =>
  status === 'skipped' || (status === 'failed' && statusReason === UNFINISHED)

/** The attempts are those of the digest. */
async function recordMails(
  notifications: Notification[],
  mail: DeliveryResult | undefined,
  trx: TransactionClientContract
) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const rows = notifications.map(({ id }) => ({
    ...{ notification_id: id, channel: 'email', status: mail?.status ?? 'failed', attempts: 0 },
    ...{ provider_message_id: mail?.providerMessageId ?? null, error: mail?.error ?? null },
    ...{ created_at: now, updated_at: now },
  }))
  await recordStatements().insertDigestDeliveries.within(trx, [JSON.stringify(rows)])
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
