import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import { databaseNow } from '#app/broadcasts/queries/database_now'

/** Batch updates of claimed recipients. They change only undecided rows, and return those. */
function prepareStatements() {
  const now = databaseNow()
  const linked = jsonRows({ id: 'integer', notification_id: 'integer' })
  const done = jsonRows({ id: 'integer', status: 'text' })
  const retried = jsonRows({ id: 'integer', wait: 'integer' })
  const released = jsonRows({ id: 'integer', recorded: 'boolean' })
  const open = 'broadcast_recipients.id = given.id and broadcast_recipients.status is null'
  return {
    /** Which recipients no other process has decided, after the lease of this one ended. */
    undecided: new PreparedQuery<{ id: number }>(
      'undecided_broadcast_recipients',
      `select broadcast_recipients.id from broadcast_recipients
       join ${jsonRows({ id: 'integer' }).source} on ${open}`
    ),
    /** Only without a record, so that the inbox never shows a message twice. */
    link: new PreparedQuery<{ done: number }>(
      'link_broadcast_notifications',
      `update broadcast_recipients set notification_id = given.notification_id from ${linked.source}
       where ${open} and broadcast_recipients.notification_id is null returning 1 as done`
    ),
    /** For records that were deleted in the meantime. */
    unlink: new PreparedQuery<{ done: number }>(
      'unlink_broadcast_notifications',
      `update broadcast_recipients set notification_id = null from ${linked.source}
       where ${open} and broadcast_recipients.notification_id = given.notification_id
       returning 1 as done`
    ),
    finish: new PreparedQuery<{ id: number; status: 'sent' | 'failed' | 'skipped' }>(
      'finish_broadcast_recipients',
      `update broadcast_recipients set status = given.status, due_at = ${now} from ${done.source}
       where ${open}
       returning broadcast_recipients.id as id, broadcast_recipients.status as status`
    ),
    count: new PreparedQuery<{ done: number }>(
      'count_broadcast_progress',
      `update broadcasts set sent = sent + $2, failed = failed + $3, skipped = skipped + $4
       where id = $1 returning 1 as done`
    ),
    retry: new PreparedQuery<{ done: number }>(
      'retry_broadcast_recipients',
      `update broadcast_recipients set due_at = ${now} + given.wait, claims = 0, tries = tries + 1
       from ${retried.source} where ${open} returning 1 as done`
    ),
    /** For recipients with quiet hours, which is not a retry. */
    wait: new PreparedQuery<{ done: number }>(
      'defer_broadcast_recipients',
      `update broadcast_recipients set due_at = ${now} + given.wait, claims = 0
       from ${retried.source} where ${open} returning 1 as done`
    ),
    /** Undoes a claim on which no work was started. Who has a record is due, not new. */
    release: new PreparedQuery<{ done: number }>(
      'release_broadcast_recipients',
      `update broadcast_recipients
       set due_at = case when claims <= 1 and tries = 0 and (given.recorded or notification_id is null)
             then null else ${now} end,
           claims = claims - 1,
           notification_id = case when given.recorded then null else notification_id end
       from ${released.source} where ${open} returning 1 as done`
    ),
    forgetNotifications: new PreparedQuery<{ done: number }>(
      'forget_broadcast_notifications',
      `delete from notifications where id in (select given.id from ${jsonRows({ id: 'integer' }).source})
       returning 1 as done`
    ),
    isAnyComplete: new PreparedQuery<{ id: number }>(
      'is_any_broadcast_complete',
      `select id from broadcasts
       where status = 'running' and expanded = true and sent + failed + skipped >= total limit 1`
    ),
    complete: new PreparedQuery<{ id: number }>(
      'complete_broadcasts',
      `update broadcasts set status = 'completed', finished_at = $1
       where status = 'running' and expanded = true and sent + failed + skipped >= total returning id`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

export const progressStatements = () => (statements ??= prepareStatements())
