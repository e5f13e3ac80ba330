import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type { Slots } from '#app/webhooks/background/slots'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { readDueDeliveries, readDueWebhooks } from '#app/webhooks/queries/due_deliveries'
import webhooksConfig from '#config/webhooks'

const { leaseMs } = webhooksConfig

export interface ClaimedDelivery {
  delivery: WebhookDelivery
  webhook: Webhook
}

/** Claims due deliveries for one attempt, as the free slots are shared. */
export async function claimDeliveries(slots: Slots): Promise<ClaimedDelivery[]> {
  const now = toDatabaseTimestamp(DateTime.utc())
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const chosen = slots.share(await readDueWebhooks(now))
  const ids = slots.share(await readDueDeliveries(chosen, now)).map(({ id }) => id)
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
