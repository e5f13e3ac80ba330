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
  /** base64url without padding */
  p256dh: string
  auth: string
  /** Absent: the one before stays. */
  deviceLabel?: string | null
}

/**
 * How many of the oldest one request deletes; others above the limit are deleted in the background.
 */
const TRIMMED_AT_ONCE = 100

/**
 * Registers a browser for a person. An existing registration is updated, and moves to this person
 * if another one made it on the same browser. Knowing the endpoint is not enough for that, because
 * only the browser has the keys. Above the limit, the person's oldest browser is removed.
 *
 * @returns the subscription and whether it is new
 * @throws EndpointTaken when another person's browser has this endpoint and other keys
 */
export async function subscribeToPush(user: User, fields: NewSubscription) {
  const { endpoint, p256dh: p256Dh, auth, deviceLabel } = fields
  const endpointDigest = PushSubscription.digestOf(endpoint)
  return transaction(async (trx) => {
    await lockUntilCommit(trx, `push:${endpointDigest}`)
    await lockUntilCommit(trx, `pushes of:${user.id}`)
    const before = await PushSubscription.findBy({ endpointDigest }, { client: trx })
    const own = before?.userId === user.id ? before : null
    if (before && !own) await takeOver(before, fields, trx)
    const subscription = own ?? new PushSubscription().merge({ userId: user.id })
    subscription.merge({ endpoint, endpointDigest, p256Dh, auth, updatedAt: DateTime.utc() })
    if (deviceLabel !== undefined) subscription.deviceLabel = deviceLabel
    await subscription.useTransaction(trx).save()
    if (!own) await trimSubscriptions(user.id, TRIMMED_AT_ONCE, trx)
    await subscription.refresh()
    return { subscription, created: before === null }
  })
}

async function takeOver(
  before: PushSubscription,
  { p256dh, auth }: NewSubscription,
  trx: TransactionClientContract
) {
  if (before.p256Dh !== p256dh || before.auth !== auth) throw new EndpointTaken()
  await before.useTransaction(trx).delete()
}
