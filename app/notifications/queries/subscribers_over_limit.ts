import { PreparedQuery } from '#core/database/prepared_query'
import PushSubscription from '#app/notifications/models/push_subscription'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

const overLimitQuery = new PreparedQuery<{ user_id: number }>(
  'subscribers_over_limit',
  `select user_id from push_subscriptions where user_id > $1 and user_id <= $2
   group by user_id having count(*) > ${MAX_SUBSCRIPTIONS} order by user_id limit 1`
)

/** Finds the first user id after `after` and up to `until` with too many subscriptions. */
export async function nextSubscriberOverLimit(
  after: number,
  until: number
): Promise<number | null> {
  const [found] = await overLimitQuery.all([after, until])
  return found?.user_id ?? null
}

export async function lastSubscriberId(): Promise<number> {
  const last = await PushSubscription.query().orderBy('userId', 'desc').select('userId').first()
  return last?.userId ?? 0
}
