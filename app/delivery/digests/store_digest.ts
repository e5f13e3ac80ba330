import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { latestWait, newDigestSend } from '#app/delivery/actions/new_pending_send'
import { recordNotifications } from '#app/delivery/actions/record_notifications'
import { failedPushes } from '#app/delivery/digests/failed_pushes'
import type { PreparedDigest } from '#app/delivery/digests/prepare_digests'
import type { WaitingItems } from '#app/delivery/digests/read_digest_items'
import Digest from '#app/delivery/models/digest'
import DigestItem from '#app/delivery/models/digest_item'
import PendingSend from '#app/delivery/models/pending_send'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import { type DeliveryOutcome, unfinishedReason } from '#app/delivery/values/delivery_outcome'
import Notification from '#app/notifications/models/notification'
import User from '#app/profiles/models/user'

interface Rest {
  /** When messages that were added meanwhile are due */
  nextAt: DateTime
}

/**
 * Makes the digest a send that is due now, ends its messages, or postpones it, all at once. Does
 * nothing if another process has claimed it.
 * @returns false if one of the messages was cancelled in the meantime: it must be prepared again
 * @throws RecipientErased
 */
export function storeDigest(
  { id, claim, userId }: Pick<Digest, 'id' | 'claim' | 'userId'>,
  { ids, isFull }: WaitingItems,
  prepared: PreparedDigest,
  { nextAt }: Rest
): Promise<boolean> {
  return transaction(async (trx) => {
    // In the order in which an erasure locks.
    await User.query({ client: trx }).where('id', userId).select('id').forShare().first()
    const digest = await Digest.query({ client: trx }).where({ id, claim }).forUpdate().first()
    if (!digest) return true
    if ('until' in prepared) {
      await postpone(digest, prepared.until, trx)
      return true
    }
    const waiting = await lockWaiting(ids, trx)
    if ('record' in prepared) {
      if (waiting.length < ids.length) return false
      if (ids.length > 0) await makeSend(waiting, prepared, trx)
    }
    await DigestItem.query({ client: trx }).whereIn('notificationId', ids).delete()
    if ('refused' in prepared) await end(waiting, prepared.refused, trx)
    const left = await DigestItem.query({ client: trx }).where({ digestId: id }).first()
    if (!left) await digest.delete()
    else {
      const dueAt = isFull ? DateTime.utc() : nextAt
      await digest.merge({ dueAt, waitUntil: null, claim: '', claims: 0 }).save()
    }
    return true
  })
}

async function postpone(digest: Digest, until: DateTime, trx: TransactionClientContract) {
  const waitUntil = digest.waitUntil ?? latestWait()
  const dueAt = DateTime.min(until, waitUntil)
  await digest.merge({ dueAt, waitUntil, claim: '', claims: 0 }).save()
  const items = DigestItem.query({ client: trx }).where('digestId', digest.id)
  await Notification.query({ client: trx })
    .whereIn('id', items.select('notificationId'))
    .where({ status: 'scheduled', statusReason: 'DIGEST' })
    .update({ scheduled_for: toDatabaseTimestamp(dueAt) })
}

/** Those that were not cancelled. Locked in one order, as everywhere. */
async function lockWaiting(ids: number[], trx: TransactionClientContract) {
  const locked = await Notification.query({ client: trx })
    .whereIn('id', ids)
    .orderBy('id')
    .select('id', 'status', 'statusReason')
    .forUpdate()
  // Once they are locked, because a cancellation deletes the item while it holds the lock.
  const items = await DigestItem.query({ client: trx })
    .select('notificationId')
    .whereIn('notificationId', ids)
  const left = new Set(items.map(({ notificationId }) => notificationId))
  return locked.filter(({ id }) => left.has(id))
}

/** Those that push has delivered, or will, have an outcome of their own. */
const isUndecided = ({ status, statusReason }: Notification) =>
  status === 'scheduled' && statusReason === 'DIGEST'

async function makeSend(
  waiting: Notification[],
  { record, recipientId, message }: Extract<PreparedDigest, { record: unknown }>,
  trx: TransactionClientContract
) {
  const [{ id: digestId }] = await recordNotifications([{ record, recipientId }], (query, values) =>
    query.within(trx, values)
  )
  const fields = { ...newDigestSend(message), notificationId: digestId, claim: '' }
  await PendingSend.create(fields, { client: trx })
  const update = (some: Notification[], changes: Record<string, unknown>) =>
    Notification.query({ client: trx })
      .whereIn(
        'id',
        some.map(({ id }) => id)
      )
      .update(changes)
  // They can no longer be cancelled.
  const unfinished = { status: 'failed', status_reason: unfinishedReason('email') }
  const hasOutcome = (one: Notification) => !isUndecided(one)
  await update(waiting.filter(isUndecided), { digest_id: digestId, ...unfinished })
  await update(waiting.filter(hasOutcome), { digest_id: digestId })
}

/** Nothing can deliver them any more. */
async function end(
  waiting: Notification[],
  outcome: DeliveryOutcome,
  trx: TransactionClientContract
) {
  const ids = waiting.filter(isUndecided).map(({ id }) => id)
  if (ids.length > 0) {
    await Notification.query({ client: trx })
      .whereIn('id', ids)
      .update({ status: outcome.status, status_reason: outcome.statusReason })
  }
  const failed = (await failedPushes(waiting, trx)).map(({ id, status, statusReason }) => ({
    id,
    outcome: { status, statusReason },
  }))
  await storeOutcomes([...ids.map((id) => ({ id, outcome })), ...failed], trx)
}
