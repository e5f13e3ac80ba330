import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import webhooksConfig from '#config/webhooks'

const { candidates, leaseMs, perFailingWebhook, perWebhook } = webhooksConfig

export interface ClaimedDelivery {
  delivery: WebhookDelivery
  webhook: Webhook
}

export interface ClaimOptions {
  exceptWebhooks: number[]
  /** Whether webhooks whose last attempt failed get attempts now. */
  includesFailing: boolean
  limit: number
}

interface Candidate {
  id: number
  webhook_id: number
  is_failing: boolean | number
}

/** Claims due deliveries for one attempt: the oldest first, but only a few per webhook. */
export async function claimDeliveries(options: ClaimOptions): Promise<ClaimedDelivery[]> {
  const now = toDatabaseTimestamp(DateTime.utc())
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const found: Candidate[] = await db
    .from('webhook_deliveries')
    .join('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .where('due_at', '<=', now)
    .if(options.exceptWebhooks.length > 0, (query) =>
      query.whereNotIn('webhook_id', options.exceptWebhooks)
    )
    .if(!options.includesFailing, (query) => query.whereNull('failing_since'))
    .orderBy('due_at')
    .limit(candidates)
    .select('webhook_deliveries.id', 'webhook_id')
    .select(db.raw('failing_since is not null as is_failing'))
  const ids = fairShare(found).slice(0, options.limit)
  if (ids.length === 0) return []
  const claimed = await transaction(async (trx) => {
    const deliveries = await WebhookDelivery.query({ client: trx })
      .whereIn('id', ids)
      .where('dueAt', '<=', now)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    for (const delivery of deliveries) await delivery.merge({ claim: randomUUID(), dueAt }).save()
    return deliveries
  })
  const webhooks = await Webhook.findMany([...new Set(claimed.map((each) => each.webhookId))])
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  return claimed.flatMap((delivery) => {
    const webhook = byId.get(delivery.webhookId)
    return webhook ? [{ delivery, webhook }] : []
  })
}

/** Round robin, so that one webhook cannot take all slots. */
function fairShare(found: Candidate[]): number[] {
  const byWebhook = Map.groupBy(found, ({ webhook_id: id }) => id)
  const shares = [...byWebhook.values()].map((rows) =>
    rows.slice(0, rows[0].is_failing ? perFailingWebhook : perWebhook)
  )
  const slots = Array.from({ length: perWebhook }, (_, slot) => slot)
  return slots
    .flatMap((slot) => shares.flatMap((share) => share.slice(slot, slot + 1)))
    .map(({ id }) => id)
}
