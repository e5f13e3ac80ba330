import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { disableWebhook } from '#app/webhooks/actions/disable_webhook'
import type { ClaimedDelivery } from '#app/webhooks/background/claim_deliveries'
import type { AttemptResult } from '#app/webhooks/background/post_event'
import Webhook from '#app/webhooks/models/webhook'
import type WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { nextAttemptAt } from '#app/webhooks/values/webhook_retries'
import webhooksConfig from '#config/webhooks'

const { disableToleranceMs, retryHours, successIntervalMs } = webhooksConfig

type Failure = Extract<AttemptResult, { isDelivered: false }>

/** Always locks the webhook before its deliveries, as administrators' changes do. */
export async function recordAttempt(claimed: ClaimedDelivery, result: AttemptResult) {
  await transaction((trx) =>
    result.isDelivered
      ? recordSuccess(claimed, result.status, trx)
      : recordFailure(claimed, result, trx)
  )
}

/** Even after another process has claimed it, because the event arrived. */
async function recordSuccess(
  { delivery, webhook }: ClaimedDelivery,
  status: number,
  trx: TransactionClientContract
) {
  const now = DateTime.utc()
  await recordNews(webhook.id, now, trx)
  await trx
    .from('webhook_deliveries')
    .where({ id: delivery.id, status: 'pending' })
    .update({
      ...attemptColumns(delivery, now),
      status: 'delivered',
      due_at: null,
      response_status: status,
      failure_reason: null,
      // The address of an erased user is no longer needed.
      ...(delivery.type === 'user.erased' && { content: null }),
    })
}

/** Skips most writes of successes. Reads the row, as the webhook was loaded before the attempt. */
async function recordNews(id: number, now: DateTime, trx: TransactionClientContract) {
  const writtenBefore = toDatabaseTimestamp(now.minus({ milliseconds: successIntervalMs }))
  await trx
    .from('webhooks')
    .where({ id })
    .where((query) =>
      query
        .whereNotNull('failing_since')
        .orWhereNull('last_success_at')
        .orWhere('last_success_at', '<', writtenBefore)
    )
    .update({ failing_since: null, last_success_at: toDatabaseTimestamp(now) })
}

async function recordFailure(
  { delivery, webhook: { id } }: ClaimedDelivery,
  failure: Failure,
  trx: TransactionClientContract
) {
  const webhook = await Webhook.query({ client: trx }).where({ id }).forUpdate().first()
  if (!webhook) return
  const now = DateTime.utc()
  const isLast = failure.isGone || now >= delivery.giveUpAt
  const attempts = delivery.attempts + (failure.reason === 'disabled' ? 0 : 1)
  const dueAt = webhook.enabled ? nextAttemptAt(attempts, delivery.giveUpAt) : delivery.giveUpAt
  const isRecorded = await trx
    .from('webhook_deliveries')
    .where({ id: delivery.id, claim: delivery.claim })
    .update({
      ...(failure.reason !== 'disabled' && attemptColumns(delivery, now)),
      response_status: failure.status,
      failure_reason: failure.reason,
      status: isLast ? 'failed' : 'pending',
      due_at: isLast ? null : toDatabaseTimestamp(dueAt),
    })
  if (Number(isRecorded) === 0 || failure.reason === 'disabled') return
  const failingSince = webhook.failingSince ?? now
  await trx
    .from('webhooks')
    .where({ id })
    .update({
      failing_since: toDatabaseTimestamp(failingSince),
      last_failure_at: toDatabaseTimestamp(now),
      last_failure_reason: failure.reason,
      last_failure_status: failure.status,
    })
  if (!webhook.enabled) return
  if (failure.isGone) await disableWebhook(webhook, 'gone', trx)
  else if (isLast && hasFailedLong(failingSince, now)) await disableWebhook(webhook, 'failing', trx)
}

const attemptColumns = ({ attempts }: WebhookDelivery, now: DateTime) => ({
  attempts: attempts + 1,
  claim: null,
  last_attempt_at: toDatabaseTimestamp(now),
})

/** Whether every delivery has failed since about the time when the abandoned event was stored. */
const hasFailedLong = (failingSince: DateTime, now: DateTime) =>
  failingSince <= now.minus({ hours: retryHours }).plus({ milliseconds: disableToleranceMs })
