import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'

/** Per channel of a notification; later ones replace the oldest. */
const MAX_ATTEMPTS = 100

export async function addAttempts(
  key: { notificationId: number; channel: Channel },
  { status, attempts, providerMessageId, error }: DeliveryResult,
  client: TransactionClientContract
) {
  const delivery = await Delivery.firstOrNew(key, { attempts: 0 }, { client })
  const count = delivery.attempts + attempts.length
  delivery.merge({ status, attempts: count, providerMessageId, error })
  await delivery.save()
  if (attempts.length === 0) return
  const rows = attempts.map((attempt) => ({
    notification_id: key.notificationId,
    channel: key.channel,
    ...attempt,
  }))
  await client.table(DeliveryAttempt.table).multiInsert(rows)
  if (count > MAX_ATTEMPTS) await deleteOldest(key, client)
}

async function deleteOldest(
  key: { notificationId: number; channel: Channel },
  client: TransactionClientContract
) {
  const oldestKept = await DeliveryAttempt.query({ client })
    .where(key)
    .orderBy('id', 'desc')
    .offset(MAX_ATTEMPTS - 1)
    .first()
  if (!oldestKept) return
  await DeliveryAttempt.query({ client }).where(key).where('id', '<', oldestKept.id).delete()
}
