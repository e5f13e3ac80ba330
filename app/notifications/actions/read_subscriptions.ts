import { hasCurrentKey } from '#core/values/vapid_key'
import PushSubscription from '#app/notifications/models/push_subscription'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

/** A user's subscriptions that get messages, the newest first. */
export async function readSubscriptions(userId: number): Promise<PushSubscription[]> {
  const newest = await PushSubscription.query()
    .where({ userId })
    .orderBy('id', 'desc')
    .limit(MAX_SUBSCRIPTIONS)
  return newest.filter(hasCurrentKey)
}
