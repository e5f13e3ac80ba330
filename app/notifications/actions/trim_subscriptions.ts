import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import PushSubscription from '#app/notifications/models/push_subscription'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

/** Deletes a user's oldest subscriptions above the limit. Returns how many were deleted. */
export async function trimSubscriptions(
  userId: number,
  maxDeleted: number,
  client?: TransactionClientContract
): Promise<number> {
  const excess = await PushSubscription.query({ client })
    .where('userId', userId)
    .orderBy('id', 'desc')
    .offset(MAX_SUBSCRIPTIONS)
    .limit(maxDeleted)
    .select('id')
  if (excess.length === 0) return 0
  const ids = excess.map(({ id }) => id)
  await PushSubscription.query({ client }).whereIn('id', ids).delete()
  return ids.length
}
