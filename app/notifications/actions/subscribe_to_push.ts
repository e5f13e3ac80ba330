import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { usesPostgres } from '#core/database/dialect'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { currentVapidKey, hasCurrentKey } from '#core/values/vapid_key'
import { trimSubscriptions } from '#app/notifications/actions/trim_subscriptions'
import { EndpointTaken, VapidKeyChanged } from '#app/notifications/exceptions'
import PushSubscription from '#app/notifications/models/push_subscription'
import { IdentityConflict } from '#app/profiles/exceptions'
import User from '#app/profiles/models/user'

export interface NewSubscription {
  endpoint: string
  p256dh: string
  auth: string
  deviceLabel?: string | null
  /** With which the browser subscribed, if the application says it */
  vapidPublicKey?: string
}

// A background worker deletes the rest.
const MAX_DELETED_PER_REQUEST = 100

/**
 * Replaces the subscription of another user or account only if the keys match, because only the
 * browser has them. Deletes those of former accounts of the record.
 *
 * @param subject the account of the caller
 * @throws EndpointTaken, IdentityConflict, VapidKeyChanged
 */
export async function subscribeToPush(
  { id: userId }: User,
  subject: string,
  fields: NewSubscription
) {
  const { endpoint, p256dh: p256Dh, auth, deviceLabel } = fields
  const endpointDigest = PushSubscription.digestOf(endpoint)
  return transaction(async (trx) => {
    await lockUntilCommit(trx, `push:${endpointDigest}`)
    await lockUntilCommit(trx, `pushes of:${userId}`)
    const user = await lockOwn(userId, subject, trx)
    const before = await PushSubscription.findBy({ endpointDigest }, { client: trx })
    const isOwn = before?.userId === user.id && before.idpUserId === user.idpUserId
    const own = isOwn ? before : null
    const isSame = before?.p256Dh === p256Dh && before.auth === auth
    if (before && !own && !isSame) throw new EndpointTaken()
    // A browser keeps the key of its subscription until it unsubscribes.
    const known = isSame ? before.vapidPublicKey : currentVapidKey
    const vapidPublicKey = fields.vapidPublicKey ?? known
    if (!hasCurrentKey({ vapidPublicKey })) throw new VapidKeyChanged()
    if (before && !own) await before.useTransaction(trx).delete()
    const subscription =
      own ?? new PushSubscription().merge({ userId: user.id, idpUserId: user.idpUserId })
    const updatedAt = DateTime.utc()
    subscription.merge({ endpoint, endpointDigest, p256Dh, auth, vapidPublicKey, updatedAt })
    if (deviceLabel !== undefined) subscription.deviceLabel = deviceLabel
    await subscription.useTransaction(trx).save()
    await deleteOfFormerAccounts(user, trx)
    if (!own) await trimSubscriptions(userId, MAX_DELETED_PER_REQUEST, trx)
    await subscription.refresh()
    return { subscription, created: before === null }
  })
}

/** The record may have been bound to another account since the request was authenticated. */
async function lockOwn(userId: number, subject: string, trx: TransactionClientContract) {
  const user = await User.query({ client: trx })
    .where('id', userId)
    .if(usesPostgres(), (query) => query.forShare())
    .first()
  if (!user?.isBoundTo(subject)) throw new IdentityConflict()
  return user
}

async function deleteOfFormerAccounts(user: User, trx: TransactionClientContract) {
  await PushSubscription.query({ client: trx })
    .where('userId', user.id)
    .whereNotIn('id', PushSubscription.ofUser(user, trx).select('id'))
    .delete()
}
