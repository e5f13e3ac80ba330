import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'
import { databaseNow } from '#app/broadcasts/queries/database_now'
import broadcastsConfig from '#config/broadcasts'

/** A recipient claimed by this process until the lease expires. */
export interface ClaimedRow {
  id: number
  email: string
  notification_id: number | null
  /** Claims since the last result, including this one. */
  claims: number
  tries: number
}

export interface RunningRow {
  id: number
  /** Null if the application was deleted. */
  application: number | null
  rate: number | null
  /** 0 while the broadcast is held or waits for slots. */
  ready: number
  /** 1 while all recipients who are left wait, for a retry or the end of quiet hours. */
  idle: number
}

/** How long slots accumulate before they are granted, and how much of a pause is made up for. */
const ACCUMULATE_SECONDS = 0.1
const CATCH_UP_MS = 250
/** As long as workers sleep when there is nothing to do. */
const IDLE_MS = 1_000

/** Hand-written because every mail passes here: `benchmarks/broadcast`. */
function prepareStatements() {
  const isPostgres = usesPostgres()
  const now = databaseNow()
  const claim = (selection: string) =>
    `update broadcast_recipients set due_at = ${now} + $3, claims = claims + 1
     where ${isPostgres ? `id = any(array(${selection} for update skip locked))` : `id in (${selection})`}
       and exists (select 1 from broadcasts where broadcasts.id = $1 and broadcasts.status = 'running')
     returning id, email, notification_id, claims, tries`
  const [greater, lesser] = isPostgres ? ['greatest', 'least'] : ['max', 'min']
  const interval = '(1000.0 / rate_per_second)'
  // Nothing waits longer than a hold, unless the clock was set back.
  const isTooFar = `next_claim_at > ${now} + ${broadcastsConfig.holdMs}`
  const nextClaimAt = `case when ${isTooFar} then 0 else next_claim_at end`
  const startAt = `${greater}(${nextClaimAt}, ${now} - ${greater}(${interval} + 1, ${CATCH_UP_MS}))`
  const slots = `${lesser}(cast($2 as integer), cast(floor((${now} - ${startAt}) / ${interval}) as integer))`
  const minimum = `${greater}(1, ${lesser}(cast($2 as integer), cast(floor(rate_per_second * ${ACCUMULATE_SECONDS}) as integer)))`
  return {
    /** Unclaimed recipients after the given id. */
    claimFresh: new PreparedQuery<ClaimedRow>(
      'claim_fresh_recipients',
      claim(`select id from broadcast_recipients
        where broadcast_id = $1 and due_at is null and status is null and id > $4
        order by id limit $2`)
    ),
    /** Recipients with a due retry or an expired lease, by how often they were claimed before. */
    claimDue: new PreparedQuery<ClaimedRow>(
      'claim_due_recipients',
      claim(`select id from broadcast_recipients
        where broadcast_id = $1 and status is null and due_at is not null and due_at <= ${now}
          and claims between $4 and $5 order by due_at limit $2`)
    ),
    /** Slots under a rate limit. All processes draw from the same row. */
    grant: new PreparedQuery<{ granted: number }>(
      'grant_broadcast_slots',
      `update broadcasts set granted = ${slots}, next_claim_at = ${startAt} + ${slots} * ${interval}
       where id = $1 and status = 'running' and ${slots} >= ${minimum} returning granted`
    ),
    running: new PreparedQuery<RunningRow>(
      'running_broadcasts',
      `select id, application_id as application, rate_per_second as rate,
         case when next_claim_at <= ${now} or ${isTooFar} then 1 else 0 end as ready,
         case when expanded = true
           and not exists (select 1 from broadcast_recipients
             where broadcast_id = broadcasts.id and due_at is null and status is null)
           and not exists (select 1 from broadcast_recipients
             where broadcast_id = broadcasts.id and status is null and due_at is not null
               and due_at <= ${now} + ${IDLE_MS})
         then 1 else 0 end as idle
       from broadcasts where status = 'running' order by id`
    ),
    /** From the counts: reading all recipients would be slow for large audiences. */
    backlog: new PreparedQuery<{ waiting: number | string; later: number | string }>(
      'broadcast_backlog',
      `select coalesce(sum(total - sent - failed - skipped), 0) as waiting,
         (select count(*) from broadcast_recipients
          where status is null and due_at > ${now}
            and broadcast_id in (select id from broadcasts where status = 'running')) as later
       from broadcasts where status = 'running'`
    ),
    hold: new PreparedQuery<{ id: number }>(
      'hold_broadcast',
      `update broadcasts set next_claim_at = ${now} + $2 where id = $1 returning id`
    ),
    isRunning: new PreparedQuery<{ id: number }>(
      'is_broadcast_running',
      `select id from broadcasts where id = $1 and status = 'running'`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

/** The dialect is known only after the application has booted. */
export const claimStatements = () => (statements ??= prepareStatements())
