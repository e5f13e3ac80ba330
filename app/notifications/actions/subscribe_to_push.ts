import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { trimSubscriptions } from '#app/notifications/actions/trim_subscriptions'
import { EndpointTaken } from '#app/notifications/exceptions'
import PushSubscription from '#app/notifications/models/push_subscription'
import type User from '#app/profiles/models/user'

export interface NewSubscription {
  endpoint: string
  p256dh: string
  auth: string
  deviceLabel?: string | null
}

// A background worker deletes the rest.
const MAX_DELETED_PER_REQUEST = 100

/**
 * Replaces another user's subscription only if the keys match, because only the browser has them.
 * @throws EndpointTaken
 */
export async function subscribeToPush(user: User, fields: NewSubscription) {
  const { endpoint, p256dh: p256Dh, auth, deviceLabel } = fields
  const endpointDigest = PushSubscription.digestOf(endpoint)
  return transaction(async (trx) => {
    await lockUntilCommit(trx, `push:${endpointDigest}`)
    await lockUntilCommit(trx, `pushes of:${user.id}`)
    const before = await PushSubscription.findBy({ endpointDigest }, { client: trx })
    const own = before?.userId === user.id ? before : null
    if (before && !own) await releaseEndpoint(before, fields, trx)
    const subscription = own ?? new PushSubscription().merge({ userId: user.id })
    subscription.merge({ endpoint, endpointDigest, p256Dh, auth, updatedAt: DateTime.utc() })
    if (deviceLabel !== undefined) subscription.deviceLabel = deviceLabel
    await subscription.useTransaction(trx).save()
    if (!own) await trimSubscriptions(user.id, MAX_DELETED_PER_REQUEST, trx)
    await subscription.refresh()
    return { subscription, created: before === null }
  })
}

async function releaseEndpoint(
  before: PushSubscription,
  { p256dh, auth }: NewSubscription,
  trx: TransactionClientContract
) {
  if (before.p256Dh !== p256dh || before.auth !== auth) throw new EndpointTaken()
  await before.useTransaction(trx).delete()
}
