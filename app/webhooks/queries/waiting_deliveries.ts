import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'

const waitingFor = (webhookId: number, trx: TransactionClientContract) =>
  trx.from('webhook_deliveries').where('webhook_id', webhookId).whereNotNull('due_at')

/** Postpones them until they are given up, so that no process reads them needlessly. */
export async function parkDeliveries(webhookId: number, trx: TransactionClientContract) {
  await waitingFor(webhookId, trx).update({ due_at: trx.raw('give_up_at') })
}

/** The failure of an attempt in progress, which may be at a former URL, no longer counts. */
export async function resumeDeliveries(webhookId: number, trx: TransactionClientContract) {
  const dueAt = toDatabaseTimestamp(DateTime.utc())
  await waitingFor(webhookId, trx).update({ due_at: dueAt, claim: null })
}
