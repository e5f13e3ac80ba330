import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Digest from '#app/delivery/models/digest'
import DigestItem from '#app/delivery/models/digest_item'
import PendingSend from '#app/delivery/models/pending_send'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import { type DeliveryOutcome, unfinishedReason } from '#app/delivery/values/delivery_outcome'
import Notification from '#app/notifications/models/notification'

/**
 * Called when no browser is subscribed any more for a push message that waited. The digest with the
 * same message then decides the outcome (digests.md#messages-in-digests).
 * @returns false if it is in no digest, or no longer waits
 */
export async function leaveToDigest(id: number, trx: TransactionClientContract): Promise<boolean> {
  const entry = await Notification.query({ client: trx })
    .where({ id, status: 'scheduled' })
    .forUpdate()
    .first()
  if (!entry) return false
  const item = await DigestItem.query({ client: trx }).where('notificationId', id).first()
  if (item) {
    const { dueAt } = await Digest.findOrFail(item.digestId, { client: trx })
    await entry.merge({ statusReason: 'DIGEST', scheduledFor: dueAt }).save()
    return true
  }
  if (entry.digestId === null) return false
  const pending = await PendingSend.query({ client: trx })
    .where('notificationId', entry.digestId)
    .first()
  if (pending) {
    await entry.merge({ status: 'failed', statusReason: unfinishedReason('email') }).save()
    return true
  }
  const outcome = await outcomeOfDigest(entry.digestId, trx)
  await entry.merge(outcome).save()
  await storeOutcomes([{ id, outcome }], trx)
  return true
}

/** The entry of a digest can be deleted before those of its messages. */
export async function outcomeOfDigest(
  id: number,
  client: TransactionClientContract
): Promise<DeliveryOutcome> {
  const digest = await Notification.find(id, { client })
  if (!digest) return { status: 'sent', statusReason: null }
  return { status: digest.status, statusReason: digest.statusReason }
}
