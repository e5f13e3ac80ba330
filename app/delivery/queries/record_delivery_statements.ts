import { usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'

/** In place of what the log does not keep about erased users, whose addresses are pseudonyms. */
const unlessErased = (table: string, column: string, otherwise = 'null') =>
  `case when ${table}.email like '%@%' then given.${column} else ${otherwise} end`

/**
 * One statement on PostgreSQL, because round trips were a quarter of what a send costs
 * (`benchmarks/delivery`), and three on SQLite, whose common table expressions cannot write. All
 * take the same values: outcomes, deliveries and attempts as JSON, and whether they are repeated (0
 * or 1). Repeated ones insert only the rows that are not there yet. Their times distinguish them
 * from those of an earlier send of the same entry.
 *
 * The update locks the entries, so that an erasure of a recipient comes before or after everything
 * (profiles.md#erasing-a-user).
 */
function prepareStatements() {
  const isPostgres = usesPostgres()
  const outcomes = jsonRows({
    notification_id: 'integer',
    status: 'text',
    status_reason: 'text',
    reason_code: 'text',
  })
  const deliveries = jsonRows(
    {
      notification_id: 'integer',
      channel: 'text',
      status: 'text',
      attempts: 'integer',
      provider_message_id: 'text',
      error: 'text',
      recorded_at: 'timestamptz',
    },
    '$2'
  )
  const attempts = jsonRows(
    {
      notification_id: 'integer',
      channel: 'text',
      at: 'timestamptz',
      outcome: 'text',
      code: 'integer',
      text: 'text',
    },
    '$3'
  )
  const fromEntries = (source: string, table: string, isKnown: string) =>
    `from ${source}
     join ${isPostgres ? 'entries' : 'notifications'} entry on entry.id = given.notification_id
     where cast($4 as integer) = 0 or not exists (
       select 1 from ${table} known where known.notification_id = given.notification_id
         and known.channel = given.channel and ${isKnown})`
  const update = `update notifications set status = given.status,
       status_reason = ${unlessErased('notifications', 'status_reason', 'given.reason_code')}
     from ${outcomes.source} where notifications.id = given.notification_id`
  // The log lists attempts by id. A join may return them in any order.
  const insertAttempts = `insert into delivery_attempts
       (notification_id, channel, at, outcome, code, text)
     select given.notification_id, given.channel, given.at, given.outcome, given.code,
       ${unlessErased('entry', 'text')}
     ${fromEntries(attempts.source, 'delivery_attempts', 'known.at = given.at')}
     order by given.at`
  const insertDeliveries = `insert into deliveries
       (notification_id, channel, status, attempts, created_at, updated_at, provider_message_id, error)
     select given.notification_id, given.channel, given.status, given.attempts, given.recorded_at,
       given.recorded_at, ${unlessErased('entry', 'provider_message_id')},
       ${unlessErased('entry', 'error')}
     ${fromEntries(deliveries.source, 'deliveries', 'known.created_at = given.recorded_at')}`
  const together = (condition = '') => `entries as (
       ${update} ${condition} returning notifications.id, notifications.email),
     attempted as (${insertAttempts}),
     delivered as (${insertDeliveries})
     select cast(count(*) as integer) as recorded from entries`
  const parts = isPostgres ? [`with ${together()}`] : [update, insertAttempts, insertDeliveries]
  const wanted = `select distinct given.notification_id from ${outcomes.source}`
  const areUnlocked = `and (select count(*) from unlocked) = (select count(*) from (${wanted}) ids)`
  return {
    all: parts.map((sql, index) => new PreparedQuery<never>(`record_deliveries_${index}`, sql)),
    /** For PostgreSQL. Records nothing, and returns 0, if an entry is locked or gone. */
    unlessLocked: new PreparedQuery<{ recorded: number }>(
      'record_deliveries_unless_locked',
      `with unlocked as (select id from notifications where id in (${wanted})
         for no key update skip locked),
       ${together(areUnlocked)}`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

/** Prepared on first use, because the database is known only after boot. */
export const recordDeliveryStatements = () => (statements ??= prepareStatements())
