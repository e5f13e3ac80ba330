import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'
import { databaseNow } from '#app/broadcasts/queries/database_clock'

/** A recipient who belongs to this process until the lease runs out. */
export interface ClaimedRow {
  id: number
  email: string
  notification_id: number | null
  /** How often the row was claimed without anybody coming back, this time included. */
  claims: number
  tries: number
}

export interface RunningRow {
  id: number
  /** Null when it was deleted. */
  application: number | null
  rate: number | null
  ready: number
}

/** For how long slots of a throttled broadcast gather before they are given away, and how much of a rest is caught up. */
const GATHER_SECONDS = 0.1
const CATCH_UP_MS = 250

/**
 * What processes share recipients by. Each statement is atomic, so that a row belongs to one process at a time; rows that
 * another one is just claiming are passed over. Hand-written because every mail passes here: `benchmarks/broadcast`.
 */
function prepare() {
  const isPostgres = usesPostgres()
  const now = databaseNow()
  const claim = (picked: string) =>
    `update broadcast_recipients set due_at = ${now} + $3, claims = claims + 1
     where ${isPostgres ? `id = any(array(${picked} for update skip locked))` : `id in (${picked})`}
       and exists (select 1 from broadcasts where broadcasts.id = $1 and broadcasts.status = 'running')
     returning id, email, notification_id, claims, tries`
  const [greater, lesser] = isPostgres ? ['greatest', 'least'] : ['max', 'min']
  const interval = '(1000.0 / rate_per_second)'
  const base = `${greater}(next_claim_at, ${now} - ${greater}(${interval} + 1, ${CATCH_UP_MS}))`
  const slots = `${lesser}(cast($2 as integer), cast(floor((${now} - ${base}) / ${interval}) as integer))`
  const enough = `${greater}(1, ${lesser}(cast($2 as integer), cast(floor(rate_per_second * ${GATHER_SECONDS}) as integer)))`
  return {
    /** Recipients nobody has claimed yet, in their order, after the given one. */
    claimFresh: new PreparedQuery<ClaimedRow>(
      'claim_fresh_recipients',
      claim(`select id from broadcast_recipients
        where broadcast_id = $1 and due_at is null and id > $4 order by id limit $2`)
    ),
    /** Recipients whose next try is due or whose lease has run out, by how often they were claimed before. */
    claimDue: new PreparedQuery<ClaimedRow>(
      'claim_due_recipients',
      claim(`select id from broadcast_recipients
        where broadcast_id = $1 and status is null and due_at is not null and due_at <= ${now}
          and claims between $4 and $5 order by due_at limit $2`)
    ),
    /** Slots of a throttled broadcast: all processes draw from the same row. */
    grant: new PreparedQuery<{ granted: number }>(
      'grant_broadcast_slots',
      `update broadcasts set granted = ${slots}, next_claim_at = ${base} + ${slots} * ${interval}
       where id = $1 and status = 'running' and ${slots} >= ${enough} returning granted`
    ),
    /** Broadcasts to work on; `ready` unless nothing of them may be claimed right now. */
    running: new PreparedQuery<RunningRow>(
      'running_broadcasts',
      `select id, application_id as application, rate_per_second as rate,
         case when next_claim_at <= ${now} then 1 else 0 end as ready
       from broadcasts where status = 'running' order by id`
    ),
    /** From the counts, because going through all recipients would take as long as the audience is large. */
    backlog: new PreparedQuery<{ waiting: number | string; later: number | string }>(
      'broadcast_backlog',
      `select coalesce(sum(total - sent - failed - skipped), 0) as waiting,
         (select count(*) from broadcast_recipients
          where status is null and due_at > ${now}
            and broadcast_id in (select id from broadcasts where status = 'running')) as later
       from broadcasts where status = 'running'`
    ),
    /** Nothing of the broadcast is claimed for a while. */
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

let statements: ReturnType<typeof prepare> | undefined

/** Which database it is shows only once the application has booted. */
export const claimStatements = () => (statements ??= prepare())
