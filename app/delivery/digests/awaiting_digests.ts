import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery, type RunQuery } from '#core/database/prepared_query'

let query: PreparedQuery<{ id: number }> | undefined

function awaitingQuery() {
  const { source } = jsonRows({ id: 'integer' })
  return (query ??= new PreparedQuery(
    'notifications_awaiting_digests',
    `select id from notifications where id in (select given.id from ${source})
       and (exists (select 1 from digest_items item where item.notification_id = notifications.id)
         or exists (select 1 from pending_sends send
           where send.notification_id = notifications.digest_id))`
  ))
}

/** Those of these notifications whose mail waits for a digest, or for the end of its delivery. */
export async function awaitingDigests(
  ids: number[],
  executor: RunQuery | TransactionClientContract
): Promise<Set<number>> {
  const values = [JSON.stringify(ids.map((id) => ({ id })))]
  const rows =
    typeof executor === 'function'
      ? await executor(awaitingQuery(), values)
      : await awaitingQuery().within(executor, values)
  return new Set(rows.map(({ id }) => id))
}
