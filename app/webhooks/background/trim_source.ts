import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { DateTime } from 'luxon'
import type { WorkSource } from '#core/background/work_source'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { droppedEvents } from '#app/webhooks/metrics'
import Webhook from '#app/webhooks/models/webhook'
import webhooksConfig from '#config/webhooks'

const { maxWaiting, trimIntervalMs } = webhooksConfig

/** Drops the oldest events of webhooks for which too many wait, and records that it did. */
export class TrimSource implements WorkSource {
  readonly name = 'webhooks with too many events'
  #nextAt = 0

  async work() {
    if (performance.now() < this.#nextAt) return false
    const crowded: { webhook_id: number }[] = await db
      .from('webhook_deliveries')
      .whereNotNull('due_at')
      .groupBy('webhook_id')
      .havingRaw('count(*) > ?', [maxWaiting])
      .select('webhook_id')
    for (const { webhook_id: id } of crowded) await dropOldest(id)
    this.#nextAt = performance.now() + trimIntervalMs
    return false
  }
}

async function dropOldest(id: number) {
  const dropped = await transaction(async (trx) => {
    const webhook = await Webhook.query({ client: trx }).where({ id }).forUpdate().first()
    if (!webhook) return 0
    const waiting = () =>
      trx.from('webhook_deliveries').where('webhook_id', id).whereNotNull('due_at')
    const firstKept: { id: number } | null = await waiting()
      .orderBy('id', 'desc')
      .offset(maxWaiting - 1)
      .select('id')
      .first()
    if (!firstKept) return 0
    const count = await waiting()
      .where('id', '<', firstKept.id)
      .update({ status: 'dropped', due_at: null, claim: null, content: null })
    await trx
      .from('webhooks')
      .where({ id })
      .update({
        dropped_events: trx.raw('dropped_events + ?', [Number(count)]),
        last_dropped_at: toDatabaseTimestamp(DateTime.utc()),
      })
    return Number(count)
  })
  if (dropped === 0) return
  droppedEvents.inc(dropped)
  logger.warn(
    { webhook: id, events: dropped },
    'Dropped events of a webhook because too many were waiting'
  )
}
