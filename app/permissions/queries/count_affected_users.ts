import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonRows } from '#core/database/json_rows'
import type Application from '#app/applications/models/application'
import { databaseMoment, isActive } from '#core/database/active_rows'
import { type AccessLevel, rankOf } from '#app/permissions/values/access_level'

interface LevelChange {
  roleId: number
  permissionId: number
  /** Null removes the permission from the role. */
  accessLevel: AccessLevel | null
}

interface AffectedRow {
  role_id: number
  permission_id: number
  count: number | string
}

const RANK = `case rp.access_level when 'edit' then 3 when 'view' then 2 when 'allowed' then 1 end`

/**
 * Counts, for each change, the users with its role whose level from all their roles differs once
 * all changes are made, conditions aside. Users whose access does not depend on roles are not
 * affected: super admins, application administrators and inactive users.
 *
 * @returns the numbers in the order of the changes
 */
export async function countAffectedUsers(
  application: Application,
  changes: LevelChange[],
  trx: TransactionClientContract
): Promise<number[]> {
  const { source } = jsonRows(
    { role_id: 'integer', permission_id: 'integer', new_rank: 'integer' },
    ':given'
  )
  const given = changes.map(({ roleId, permissionId, accessLevel }) => {
    return { role_id: roleId, permission_id: permissionId, new_rank: rankOf(accessLevel) }
  })
  const found = await trx.rawQuery(
    `with changes as (select role_id, permission_id, new_rank from ${source}),
     assigned as not materialized (
       select ur.email, ur.role_id from user_roles ur where ${isActive('ur', ':now')}
     ),
     questions as (
       select distinct ur.email, c.permission_id
       from changes c join assigned ur on ur.role_id = c.role_id
     ),
     affected as (
       select q.email, q.permission_id
       from questions q
       join assigned ur on ur.email = q.email
       left join role_permissions rp
         on rp.role_id = ur.role_id and rp.permission_id = q.permission_id
       left join changes c on c.role_id = ur.role_id and c.permission_id = q.permission_id
       group by q.email, q.permission_id
       having coalesce(max(${RANK}), 0)
         <> coalesce(max(case when c.role_id is null then ${RANK} else c.new_rank end), 0)
     )
     select c.role_id, c.permission_id, count(*) as count
     from changes c
     join assigned ur on ur.role_id = c.role_id
     join affected on affected.email = ur.email and affected.permission_id = c.permission_id
     where not exists (
         select 1 from super_admins s where s.email = ur.email and ${isActive('s', ':now')}
       )
       and not exists (
         select 1 from application_admins m
         where m.email = ur.email and m.application_id = :application and ${isActive('m', ':now')}
       )
       and not exists (select 1 from users u where u.email = ur.email and u.active = false)
     group by c.role_id, c.permission_id`,
    { given: JSON.stringify(given), now: databaseMoment(), application: application.id }
  )
  const rows: AffectedRow[] = found.rows ?? found
  const counts = new Map(
    rows.map((row) => [`${row.role_id}:${row.permission_id}`, Number(row.count)])
  )
  return changes.map(({ roleId, permissionId }) => counts.get(`${roleId}:${permissionId}`) ?? 0)
}
