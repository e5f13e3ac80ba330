import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { deleteInParts } from '#core/database/in_parts'
import { isOneOf, listValue, selectRows } from '#core/database/select_rows'
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
    webhookId,
    type: 'user.erased' as const,
    email: null,
    data: { application, email },
  }))
  await storeEvents(events, trx)
}

/**
 * Deletes all other events about a user, sent or not. Call it after the logs were pseudonymized:
 * whoever stores an event locks the entry that it is about.
 *
 * @param listeners the webhooks that get the event next; they are locked together with the others,
 *   because whoever records an attempt locks the webhook before its deliveries, too
 * @returns how many
 */
export async function forgetDeliveries(
  email: string,
  listeners: Subscription[],
  trx: TransactionClientContract
): Promise<number> {
  if (usesPostgres()) {
    const told = listValue(listeners.map(({ webhookId }) => webhookId))
    const sql = `select id from webhooks
      where id in (select webhook_id from webhook_deliveries where email = ?)
        or ${isOneOf('id')}
      order by id for key share`
    await selectRows(trx, sql, [email, told])
  }
  return deleteInParts('webhook_deliveries', (rows) => rows.where({ email }), trx)
}
