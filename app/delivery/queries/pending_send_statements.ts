import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'

export const linkKeyQuery = new PreparedQuery<never>(
  'link_idempotency_key',
  'update idempotency_keys set notification_id = $1 where key_digest = $2 and created_at = $3'
)

let insertQuery: PreparedQuery<{ id: number }> | undefined

export function insertPendingQuery() {
  if (insertQuery) return insertQuery
  const { names, values, source } = jsonRows({
    notification_id: 'integer',
    channels: 'jsonText',
    application_id: 'integer',
    account: 'text',
    recipient_id: 'integer',
    content: 'text',
    claim: 'text',
    prepared: 'boolean',
    retry_hours: 'integer',
    wait_until: 'timestamptz',
    due_at: 'timestamptz',
    give_up_at: 'timestamptz',
    created_at: 'timestamptz',
  })
  insertQuery = new PreparedQuery(
    'insert_pending_send',
    `insert into pending_sends (${names}) select ${values} from ${source} returning id`
  )
  return insertQuery
}
