import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import type { ActorKind } from '#core/audit/audit_actor'
import type { AuditAction } from '#core/audit/audit_actions'

/** The actions that give rights to users. An index of the audit trail covers exactly these. */
export const GIVING_ACTIONS = [
  'user.roles_replaced',
  'user.overrides_replaced',
  'application_admin.added',
  'super_admin.added',
] as const satisfies AuditAction[]

/** How to find the entry about an assignment. */
export interface SoughtEntry {
  place: number
  email: string
  action: (typeof GIVING_ACTIONS)[number]
  /** 0 for the platform. */
  application: number
  /** Timestamps. The entry is written a moment after the assignment, in its transaction. */
  since: string
  until: string
}

export interface OriginRow {
  place: number
  actor_kind: ActorKind
  actor_email: string | null
  actor_name: string | null
  reason: string | null
}

function originsSql() {
  const { names, source } = jsonRows({
    place: 'integer',
    email: 'text',
    action: 'text',
    application: 'integer',
    since: 'timestamptz',
    until: 'timestamptz',
  })
  const actions = GIVING_ACTIONS.map((action) => `'${action}'`).join(', ')
  return `
    with given as (select ${names} from ${source})
    select given.place, e.actor_kind, e.actor_email, e.actor_name, e.reason
    from given
    join audit_entries e on e.id = (
      select entry.id from audit_entries entry
      where entry.email = given.email and entry.action = given.action
        and entry.action in (${actions})
        and entry.at >= given.since and entry.at <= given.until
        and coalesce(entry.application_id, 0) = given.application
      order by entry.at, entry.id limit 1
    )`
}

let query: PreparedQuery<OriginRow> | undefined

/** The first matching entry for each, if the audit trail has one. */
export function listOrigins(
  sought: SoughtEntry[],
  client?: TransactionClientContract
): Promise<OriginRow[]> {
  query ??= new PreparedQuery<OriginRow>('review_origins', originsSql())
  return query.all([JSON.stringify(sought)], client)
}
