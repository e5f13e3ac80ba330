import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { storeEvents } from '#app/webhooks/actions/store_events'
import type { Subscription } from '#app/webhooks/subscriptions'

/**
 * Tells applications who was erased, so that they can erase the user as well. The address stays in
 * the event until it is delivered, and at most until retention removes it.
 */
export async function storeErasure(
  email: string,
  listeners: Subscription[],
  trx: TransactionClientContract
) {
  const events = listeners.map(({ webhookId, application }) => ({
    ...{ webhookId, type: 'user.erased' as const, email: null },
    data: { application, email },
  }))
  await storeEvents(events, trx)
}

/**
 * Deletes all other events about a user, sent or not. Call it after the logs were pseudonymized:
 * whoever stores an event locks the entry that it is about.
 *
 * @returns how many
 */
export async function forgetDeliveries(
  email: string,
  trx: TransactionClientContract
): Promise<number> {
  return Number(await trx.from('webhook_deliveries').where({ email }).delete())
}
