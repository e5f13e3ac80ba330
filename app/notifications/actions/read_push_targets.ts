import { pushTargetsQuery } from '#app/notifications/queries/push_targets'
import type { PushTarget } from '#app/notifications/values/push_target'

/**
 * By user id: the newest subscriptions up to the limit, the oldest of them first. Those of a former
 * account of the record get nothing (delivery.md#subscriptions-and-accounts).
 */
export async function readPushTargets(userIds: number[]): Promise<Map<number, PushTarget[]>> {
  const input = userIds.map((id) => ({ user_id: id }))
  const rows = await pushTargetsQuery().all([JSON.stringify(input)])
  const targets = rows.map(
    ({ user_id: userId, p256dh: p256Dh, vapid_public_key: vapidPublicKey, ...rest }) => ({
      ...rest,
      userId,
      p256Dh,
      vapidPublicKey,
    })
  )
  return Map.groupBy(targets, ({ userId }) => userId)
}
