import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'

/** Adds the attempts of a round to the delivery of the channel. */
export async function addAttempts(
  key: { notificationId: number; channel: Channel },
  { status, attempts, providerMessageId, error }: DeliveryResult,
  client: TransactionClientContract
) {
  const delivery = await Delivery.firstOrNew(key, { attempts: 0 }, { client })
  delivery.merge({ status, attempts: delivery.attempts + attempts, providerMessageId, error })
  await delivery.save()
}
