import { PreparedQuery } from '#core/database/prepared_query'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'

export interface FactsRow {
  active: boolean | number | null
  super_admin: boolean | number
  application_admin: boolean | number
  code: string | null
  type: PermissionType
  global: boolean | number
  group_name: string | null
  role_rank: number | null
  granted: boolean | number | null
  override_level: AccessLevel | null
}

/**
 * One row per permission, each with the columns of the user, or a single row without a permission.
 */
const factsSql = (permissionFilter: string) => `
  select
    (select u.active from users u where u.email = $1) as active,
    exists(select 1 from super_admins s where s.email = $1) as super_admin,
    exists(
      select 1 from application_admins m where m.email = $1 and m.application_id = a.id
    ) as application_admin,
    p.code, p.type, p.global, p.group_name,
    (
      select max(case rp.access_level when 'edit' then 3 when 'view' then 2 else 1 end)
      from user_roles ur
      join role_permissions rp on rp.role_id = ur.role_id
      where ur.email = $1 and rp.permission_id = p.id
    ) as role_rank,
    o.granted, o.access_level as override_level
  from (select 1 as present) always
  left join applications a on a.code = $2
  left join permissions p on p.application_id = a.id ${permissionFilter}
  left join resource_overrides o
    on o.email = $1 and o.resource_type = $3 and o.resource_id = $4
    and o.permission_id = p.id`

export const onePermission = new PreparedQuery<FactsRow>('facts_one', factsSql('and p.code = $5'))
export const everyPermission = new PreparedQuery<FactsRow>('facts_every', factsSql(''))
export const somePermissions = {
  postgres: new PreparedQuery<FactsRow>('facts_some', factsSql('and p.code = any($5)')),
  sqlite: new PreparedQuery<FactsRow>(
    'facts_some',
    factsSql('and p.code in (select value from json_each($5))')
  ),
}
