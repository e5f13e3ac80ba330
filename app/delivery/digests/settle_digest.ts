import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { failedPushes, hasFailedPush } from '#app/delivery/digests/failed_pushes'
import type { Channel } from '#app/delivery/models/delivery'
import { type FinalOutcome, storeOutcomes } from '#app/delivery/outcome_outbox'
import { recordStatements } from '#app/delivery/queries/record_statements'
import { type DeliveryOutcome, unfinishedReason } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'

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
  const mailOnly = all.filter(hasMailOnly).map(({ id }) => ({ id, outcome }))
  const status = outcome.status === 'sent' ? 'sent' : 'failed'
  const withPush = all.filter(hasFailedPush).map(({ id, statusReason }) => ({
    id,
    outcome: { status, statusReason } as const,
  }))
  await update([...mailOnly, ...withPush], trx)
  const ended = new Set((await failedPushes(all, trx)).map(({ id }) => id))
  await storeOutcomes([...mailOnly, ...withPush.filter(({ id }) => ended.has(id))], trx)
}

/** Push was not chosen, or no browser was subscribed when the quiet hours ended. */
const hasMailOnly = ({ status, statusReason }: Notification) =>
  status === 'failed' && statusReason === unfinishedReason('email')

/** The attempts are those of the digest. */
async function recordMails(
  notifications: Notification[],
  mail: DeliveryResult | undefined,
  trx: TransactionClientContract
) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const rows = notifications.map(({ id }) => ({
    notification_id: id,
    channel: 'email',
    status: mail?.status ?? 'failed',
    attempts: 0,
    provider_message_id: mail?.providerMessageId ?? null,
    error: mail?.error ?? null,
    created_at: now,
    updated_at: now,
  }))
  await recordStatements().insertDigestDeliveries.within(trx, [JSON.stringify(rows)])
}

async function update(outcomes: FinalOutcome[], trx: TransactionClientContract) {
  const byOutcome = Map.groupBy(outcomes, ({ outcome }) => JSON.stringify(outcome))
  for (const some of byOutcome.values()) {
    const { status, statusReason } = some[0].outcome
    const ids = some.map(({ id }) => id)
    await Notification.query({ client: trx })
      .whereIn('id', ids)
      .update({ status, status_reason: statusReason })
  }
}
