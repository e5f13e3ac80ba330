import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import type { PushTarget } from '#app/notifications/values/push_target'
import { MAX_SUBSCRIPTIONS } from '#app/notifications/values/push_limits'

type Row = Pick<PushTarget, 'id' | 'endpoint' | 'auth'> & {
  user_id: number
  p256dh: string
  vapid_public_key: string | null
}

/** The cross joins keep SQLite from reading whole tables. */
function prepareStatement() {
  const { source } = jsonRows({ user_id: 'integer' })
  return new PreparedQuery<Row>(
    'push_targets',
    `select s.id, s.user_id, s.endpoint, s.p256dh, s.auth, s.vapid_public_key
     from ${source}
     cross join push_subscriptions s
     cross join users
     where s.user_id = given.user_id
       and users.id = given.user_id
       and s.idp_user_id is not distinct from users.idp_user_id
       and s.id >= coalesce((
         select newest.id from push_subscriptions newest where newest.user_id = given.user_id
         order by newest.id desc limit 1 offset ${MAX_SUBSCRIPTIONS - 1}
       ), 0)
     order by s.id`
  )
}

let statement: PreparedQuery<Row> | undefined

/** Prepared on first use, because the database is known only after boot. */
export const pushTargetsQuery = () => (statement ??= prepareStatement())
