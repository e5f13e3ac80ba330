import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { onlyEndingWithin } from '#core/database/active_rows'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type Attention, MAX_ATTENTION } from '#app/operations/values/attention'

interface Visible {
  id: number
  canEdit: boolean
}

const EXPIRES_SOON = { days: 7 }
const FAILED_WITHIN = { hours: 24 }

/** What needs action in applications, the most urgent first. */
export async function findAttention(applications: Visible[]): Promise<Attention[]> {
  const ids = applications.map(({ id }) => id)
  // Others do not see its keys.
  const edited = applications.filter(({ canEdit }) => canEdit).map(({ id }) => id)
  const now = DateTime.utc()
  const found = await Promise.all([
    count('deliveries_failed', failedDeliveries(ids, now)),
    count('keys_expired', keys(edited).where('expires_at', '<=', toDatabaseTimestamp(now))),
    count(
      'keys_expiring',
      keys(edited)
        .where('expires_at', '>', toDatabaseTimestamp(now))
        .where('expires_at', '<=', toDatabaseTimestamp(now.plus(EXPIRES_SOON)))
    ),
    count('grants_ending', endingGrants(ids)),
    count('instances_unapproved', rowsOf('instances', ids).where('approved', false)),
    count('permissions_unassigned', unassignedPermissions(ids)),
  ])
  return found.flat()
}

async function count(kind: Attention['kind'], query: ReturnType<typeof rowsOf>) {
  const rows: { app_code: string; count: number | string }[] = await query
    .select('applications.code as app_code')
    .count('* as count')
    .groupBy('applications.code')
    .orderBy('applications.code')
    .limit(MAX_ATTENTION)
  return rows.map((row): Attention => ({ kind, appCode: row.app_code, count: Number(row.count) }))
}

function rowsOf(table: string, ids: number[]) {
  return db
    .from(table)
    .join('applications', 'applications.id', `${table}.application_id`)
    .whereIn('applications.id', ids)
}

const keys = (ids: number[]) => rowsOf('application_keys', ids)

/** Role assignments, overrides and administrators. */
function endingGrants(ids: number[]) {
  const ending = [
    db.from('user_roles as g').join('roles as o', 'o.id', 'g.role_id'),
    db.from('resource_overrides as g').join('permissions as o', 'o.id', 'g.permission_id'),
    db.from('application_admins as g').join('application_admins as o', 'o.id', 'g.id'),
  ].map((rows) =>
    onlyEndingWithin(rows, 'g', EXPIRES_SOON.days)
      .whereIn('o.application_id', ids)
      .select('o.application_id as application_id')
  )
  const [first, ...others] = ending
  return db
    .from(first.unionAll(others).as('ending'))
    .join('applications', 'applications.id', 'ending.application_id')
}

/** No role and no override gives them. */
function unassignedPermissions(ids: number[]) {
  return rowsOf('permissions', ids)
    .whereNotExists((roles) =>
      roles.from('role_permissions').whereColumn('role_permissions.permission_id', 'permissions.id')
    )
    .whereNotExists((overrides) =>
      overrides
        .from('resource_overrides')
        .whereColumn('resource_overrides.permission_id', 'permissions.id')
        .where('resource_overrides.granted', true)
    )
}

function failedDeliveries(ids: number[], now: DateTime) {
  return db
    .from('deliveries')
    .join('notifications', 'notifications.id', 'deliveries.notification_id')
    .join('applications', (join) => {
      join.on('applications.code', 'notifications.app_code')
      join.on('applications.created_at', '<=', 'notifications.created_at')
    })
    .whereIn('applications.id', ids)
    .where('notifications.created_at', '>=', toDatabaseTimestamp(now.minus(FAILED_WITHIN)))
    .where('deliveries.status', 'failed')
}
