import { DateTime } from 'luxon'
import { serialize } from '#core/database/serialize'
import { transaction } from '#core/database/transaction'
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
 * Registers a browser for a person. One that was registered before is updated, and when another person did that on the
 * same browser, moves to this one with nothing left of theirs.
 *
 * @returns the subscription and whether it is new
 */
export async function subscribeToPush(user: User, fields: NewSubscription) {
  const { endpoint, p256dh: p256Dh, auth, deviceLabel } = fields
  const endpointDigest = PushSubscription.digestOf(endpoint)
  return transaction(async (trx) => {
    await serialize(trx, `push:${endpointDigest}`)
    const before = await PushSubscription.findBy({ endpointDigest }, { client: trx })
    const subscription = before ?? new PushSubscription()
    if (subscription.userId !== user.id) {
      subscription.merge({ userId: user.id, deviceLabel: null, lastUsedAt: null })
      subscription.createdAt = DateTime.utc()
    }
    subscription.merge({ endpoint, endpointDigest, p256Dh, auth, updatedAt: DateTime.utc() })
    if (deviceLabel !== undefined) subscription.deviceLabel = deviceLabel
    await subscription.useTransaction(trx).save()
    return { subscription, created: before === null }
  })
}
