import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonRows } from '#core/database/json_rows'
import type Application from '#app/applications/models/application'
import { databaseMoment, isActive } from '#core/database/active_rows'
import { type AccessLevel, rankOf } from '#app/permissions/values/access_level'

interface GrantChange {
  roleId: number
  permissionId: number
  /** Null removes the permission from the role. */
  accessLevel: AccessLevel | null
  /** The one after the change. */
  condition: string | null
}

interface AffectedRow {
  role_id: number
  permission_id: number
  count: number | string
}

const RANK = `case rp.access_level when 'edit' then 3 when 'view' then 2 else 1 end`

/** What a grant under a condition adds to the level that its user has in any case. */
const added = (time: 'before' | 'after') =>
  `case when condition = '' or ${time} > sure_${time} then ${time} else 0 end`

/**
 * Counts, for each change, the users with its role for whom the result of a check can differ once
 * all changes are made: because their level from all their roles differs, or a condition that can
 * raise it. Users whose access does not depend on roles are not affected: super admins,
 * application administrators and inactive users.
 *
 * @returns the numbers in the order of the changes
 */
export async function countAffectedUsers(
  application: Application,
  changes: GrantChange[],
  trx: TransactionClientContract
): Promise<number[]> {
  const { source } = jsonRows(
    { role_id: 'integer', permission_id: 'integer', new_rank: 'integer', condition: 'text' },
    ':given'
  )
  const given = changes.map(({ roleId, permissionId, accessLevel, condition }) => ({
    role_id: roleId,
    permission_id: permissionId,
    new_rank: rankOf(accessLevel),
    condition: condition ?? '',
  }))
  const found = await trx.rawQuery(
    `with changes as (select role_id, permission_id, new_rank, condition from ${source}),
     assigned as not materialized (
       select ur.email, ur.role_id from user_roles ur where ${isActive('ur', ':now')}
     ),
     questions as (
       select distinct ur.email, c.permission_id
       from changes c join assigned ur on ur.role_id = c.role_id
     ),
     grants as (
       select q.email, q.permission_id, coalesce(rp.condition, '') as condition,
         ${RANK} as before,
         case when c.role_id is null then ${RANK} else 0 end as after
       from questions q
       join assigned ur on ur.email = q.email
       join role_permissions rp
         on rp.role_id = ur.role_id and rp.permission_id = q.permission_id
       left join changes c on c.role_id = ur.role_id and c.permission_id = q.permission_id
       union all
       select ur.email, c.permission_id, c.condition, 0, c.new_rank
       from changes c join assigned ur on ur.role_id = c.role_id
     ),
     levels as (
       select email, permission_id, condition, max(before) as before, max(after) as after,
         coalesce(max(max(case when condition = '' then before end)) over user_level, 0)
           as sure_before,
         coalesce(max(max(case when condition = '' then after end)) over user_level, 0)
           as sure_after
       from grants
       group by email, permission_id, condition
       window user_level as (partition by email, permission_id)
     ),
     affected as (
       select distinct email, permission_id from levels
       where ${added('before')} <> ${added('after')}
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
