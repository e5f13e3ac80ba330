import { hasCurrentKey } from '#core/values/vapid_key'
import PushSubscription from '#app/notifications/models/push_subscription'
import type User from '#app/profiles/models/user'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

/** A user's subscriptions that get messages, the newest first. */
export async function readSubscriptions(user: User): Promise<PushSubscription[]> {
  const newest = await PushSubscription.ofUser(user).orderBy('id', 'desc').limit(MAX_SUBSCRIPTIONS)
  return newest.filter(hasCurrentKey)
}
