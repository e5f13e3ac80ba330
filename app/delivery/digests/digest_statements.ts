import { usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'

export interface OpenDigest {
  id: number
  user_id: number
  notification_type_id: number
  due_at: unknown
  /** Empty unless a process prepares it */
  claim: string
}

function prepareStatements() {
  const digests = jsonRows({
    user_id: 'integer',
    application_id: 'integer',
    notification_type_id: 'integer',
    due_at: 'timestamptz',
    created_at: 'timestamptz',
  })
  const items = jsonRows({ notification_id: 'integer', digest_id: 'integer', content: 'text' })
  const keys = jsonRows({ user_id: 'integer', notification_type_id: 'integer' })
  const times = jsonRows({ id: 'integer', due_at: 'timestamptz' })
  const reschedule = 'update notifications set scheduled_for = given.due_at'
  const isWaiting = "notifications.status = 'scheduled' and notifications.status_reason = 'DIGEST'"
  const earlier = usesPostgres() ? 'least' : 'min'
  return {
    /** Of those that no process prepares right now. */
    dueTimes: new PreparedQuery<{ id: number; due_at: unknown }>(
      'due_times_of_digests',
      `select digests.id, digests.due_at from ${keys.source}
       join digests on digests.user_id = given.user_id
         and digests.notification_type_id = given.notification_type_id
       where digests.claim = ''`
    ),
    /** In one order, so that concurrent sends cannot deadlock. Whoever ends a digest locks it. */
    openDigests: new PreparedQuery<OpenDigest>(
      'open_digests',
      `insert into digests (${digests.names})
       select ${digests.values} from ${digests.source} where true
       order by given.user_id, given.notification_type_id
       on conflict (user_id, notification_type_id) do update
         set due_at = ${earlier}(digests.due_at, excluded.due_at)
       returning id, user_id, notification_type_id, due_at, claim`
    ),
    addItems: new PreparedQuery<never>(
      'add_digest_items',
      `insert into digest_items (${items.names})
       select ${items.values} from ${items.source} where true
       on conflict (notification_id) do nothing`
    ),
    /** Messages that wait for other digests than they were sent for. */
    rescheduleMessages: new PreparedQuery<never>(
      'reschedule_digest_messages',
      `${reschedule} from ${times.source} where notifications.id = given.id and ${isWaiting}`
    ),
    /** All messages of digests. */
    rescheduleDigests: new PreparedQuery<never>(
      'reschedule_digests',
      `${reschedule} from ${times.source} join digest_items item on item.digest_id = given.id
       where notifications.id = item.notification_id and ${isWaiting}`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

/** Prepared on first use, because the database is known only after boot. */
export const digestStatements = () => (statements ??= prepareStatements())
