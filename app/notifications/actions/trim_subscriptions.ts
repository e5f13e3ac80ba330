import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PreparedQuery } from '#core/database/prepared_query'
import PushSubscription from '#app/notifications/models/push_subscription'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

/** Deletes a person's oldest subscriptions above the limit. Returns how many were deleted. */
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

const crowdedQuery = new PreparedQuery<{ user_id: number }>(
  'people_with_many_subscriptions',
  `select user_id from push_subscriptions where user_id > $1 and user_id <= $2
   group by user_id having count(*) > ${MAX_SUBSCRIPTIONS} order by user_id limit 1`
)

/** The first person after `after` and up to `until` with too many subscriptions; null if none. */
export async function nextCrowded(after: number, until: number): Promise<number | null> {
  const [found] = await crowdedQuery.all([after, until])
  return found?.user_id ?? null
}

/** The last person with a subscription. */
export async function lastSubscriber(): Promise<number> {
  const last = await PushSubscription.query().orderBy('userId', 'desc').select('userId').first()
  return last?.userId ?? 0
}
