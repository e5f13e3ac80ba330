import { PreparedQuery } from '#core/database/prepared_query'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

const overLimitQuery = new PreparedQuery<{ user_id: number }>(
  'subscribers_over_limit',
  `select user_id from push_subscriptions where user_id > $1 and user_id <= $2
   group by user_id having count(*) > ${MAX_SUBSCRIPTIONS} order by user_id limit 1`
)

// Bounded by rows: ids can be far apart, for example after an import.
const lastOfNextQuery = new PreparedQuery<{ user_id: number | null }>(
  'last_of_next_subscribers',
  `select max(user_id) as user_id from
   (select user_id from push_subscriptions where user_id > $1 order by user_id limit $2) as next`
)

/** Finds the first user id after `after` and up to `until` with too many subscriptions. */
export async function nextSubscriberOverLimit(
  after: number,
  until: number
): Promise<number | null> {
  const [found] = await overLimitQuery.all([after, until])
  return found?.user_id ?? null
}

/** Returns the user id of the last of the next `rows` subscriptions, or null if there are none. */
export async function lastOfNextSubscribers(after: number, rows: number): Promise<number | null> {
  const [last] = await lastOfNextQuery.all([after, rows])
  return last.user_id
}
