import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { type Executor, type Statement, execute } from '#app/webhooks/queries/executor'
import type { EventData } from '#app/webhooks/values/event_data'
import type { EventType, TEST_EVENT } from '#app/webhooks/values/event_types'
import { giveUpAfter } from '#app/webhooks/values/webhook_retries'

/** An event for one webhook. */
export interface AddressedEvent {
  webhookId: number
  type: EventType | typeof TEST_EVENT
  /** Whom it is about, so that an erasure of the user finds it */
  email: string | null
  data: EventData
  /** When it happened; by default now */
  at?: DateTime
}

/**
 * Stores events in the transaction of what they are about. Webhooks that were deleted or disabled
 * in the meantime get none: the lock makes a deletion come before or after it.
 *
 * @returns the ids of the deliveries, in no order
 */
export async function storeEvents(events: AddressedEvent[], executor: Executor): Promise<number[]> {
  if (events.length === 0) return []
  const now = DateTime.utc()
  const rows = events.map(({ webhookId, type, email, data, at = now }) => ({
    webhook_id: webhookId,
    message_id: `msg_${randomUUID().replaceAll('-', '')}`,
    type,
    email,
    content: JSON.stringify({ type, timestamp: isoTimestamp(at), data }),
    status: 'pending',
    due_at: toDatabaseTimestamp(now),
    give_up_at: toDatabaseTimestamp(giveUpAfter(now)),
    created_at: toDatabaseTimestamp(now),
  }))
  const inserted = await execute<{ id: number }>(executor, insertion(), [JSON.stringify(rows)])
  return inserted.map(({ id }) => id)
}

let statement: Statement | undefined

/** Prepared on first use, because the database is known only after boot. */
function insertion(): Statement {
  if (statement) return statement
  const { names, values, source } = jsonRows({
    webhook_id: 'integer',
    message_id: 'text',
    type: 'text',
    email: 'text',
    content: 'text',
    status: 'text',
    due_at: 'timestamptz',
    give_up_at: 'timestamptz',
    created_at: 'timestamptz',
  })
  const lock = usesPostgres() ? 'for key share' : ''
  const sql = `with given_rows as (select * from ${source}),
    live as (
      select webhooks.id from webhooks
      where webhooks.enabled and webhooks.id in (select webhook_id from given_rows)
      order by webhooks.id ${lock}
    )
    insert into webhook_deliveries (${names})
    select ${values} from given_rows as given
    where given.webhook_id in (select id from live)
    returning id`
  return (statement = { name: 'insert_webhook_deliveries', sql })
}
