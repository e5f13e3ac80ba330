import { isActive } from '#core/database/active_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import { TABLES_OF_RIGHTS } from '#app/permissions/values/tables_of_rights'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'

export interface FactsRow {
  active: boolean | number | null
  super_admin: boolean | number
  application_admin: boolean | number
  code: string | null
  type: PermissionType
  global: boolean | number
  group_name: string | null
  /** What the user's roles grant without a condition. */
  role_rank: number | null
  /** Their other grants: a JSON array of `[rank, condition]`. */
  conditional_grants: string | [number, string][] | null
  granted: boolean | number | null
  override_level: AccessLevel | null
  override_condition: string | null
  /** When a time window of the user begins or ends next. */
  boundary: string | Date | null
}

/** Of a row `rp` of `role_permissions`, as `rankOf` counts. */
export const RANK = `case rp.access_level when 'edit' then 3 when 'view' then 2 else 1 end`
const [MOMENT, FILTER] = ['$5', '$6']

/** The next moment at which the window of one of the user's rows begins or ends; null if none. */
function nextBoundary(email: string, now: string): string {
  const ofTable = (table: string) =>
    `select case when valid_from > ${now} then valid_from else valid_until end as boundary
     from ${table}
     where email = ${email} and (valid_from is not null or valid_until is not null)
       and (valid_from > ${now} or valid_until > ${now})`
  return `(select min(boundary) from (${TABLES_OF_RIGHTS.map(ofTable).join(' union all ')}) as boundaries)`
}

/**
 * One row per permission, each with the columns of the user, or a single row without a permission.
 */
const factsSql = (permissionFilter: string, [jsonList, jsonPair]: [string, string]) => `
  select
    (select u.active from users u where u.email = $1) as active,
    exists(
      select 1 from super_admins s where s.email = $1 and ${isActive('s', MOMENT)}
    ) as super_admin,
    exists(
      select 1 from application_admins m
      where m.email = $1 and m.application_id = a.id and ${isActive('m', MOMENT)}
    ) as application_admin,
    p.code, p.type, p.global, p.group_name,
    (
      select max(${RANK})
      from user_roles ur
      join role_permissions rp on rp.role_id = ur.role_id
      where ur.email = $1 and rp.permission_id = p.id and rp.condition is null
        and ${isActive('ur', MOMENT)}
    ) as role_rank,
    (
      select ${jsonList}(${jsonPair}(${RANK}, rp.condition))
      from role_permissions rp
      cross join user_roles ur
      where rp.permission_id = p.id and rp.condition is not null
        and ur.role_id = rp.role_id and ur.email = $1 and ${isActive('ur', MOMENT)}
    ) as conditional_grants,
    o.granted, o.access_level as override_level, o.condition as override_condition,
    ${nextBoundary('$1', MOMENT)} as boundary
  from (select 1 as present) always
  left join applications a on a.code = $2
  left join permissions p on p.application_id = a.id ${permissionFilter}
  left join resource_overrides o
    on o.email = $1 and o.resource_type = $3 and o.resource_id = $4
    and o.permission_id = p.id and ${isActive('o', MOMENT)}`

function factsQuery(name: string, filter: { postgres: string; sqlite: string }) {
  return {
    postgres: new PreparedQuery<FactsRow>(
      name,
      factsSql(filter.postgres, ['json_agg', 'json_build_array'])
    ),
    sqlite: new PreparedQuery<FactsRow>(
      name,
      factsSql(filter.sqlite, ['json_group_array', 'json_array'])
    ),
  }
}

const isNamed = `and p.code = ${FILTER}`

export const onePermission = factsQuery('facts_one', { postgres: isNamed, sqlite: isNamed })
export const everyPermission = factsQuery('facts_every', { postgres: '', sqlite: '' })
export const somePermissions = factsQuery('facts_some', {
  postgres: `and p.code = any(${FILTER})`,
  sqlite: `and p.code in (select value from json_each(${FILTER}))`,
})
