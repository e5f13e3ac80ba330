import { isActive } from '#core/database/active_rows'
import { inByteOrder } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'
import type { PermissionType } from '#app/permissions/values/access_level'
import { RANK } from '#app/checks/queries/facts_queries'

export interface GrantingRoleRow {
  application_id: number
  /** Null if the application does not define the permission, like the next two. */
  permission_id: number | null
  type: PermissionType
  global: boolean | number
  /** Null if no role grants it, like the next two. */
  role_id: number | null
  rank: number
  condition: string | null
}

/** The roles that grant a permission. */
export const grantingRoles = new PreparedQuery<GrantingRoleRow>(
  'granting_roles',
  `select a.id as application_id, p.id as permission_id, p.type, p.global,
     rp.role_id, ${RANK} as rank, rp.condition
   from applications a
   left join permissions p on p.application_id = a.id and p.code = $2
   left join role_permissions rp on rp.permission_id = p.id
   where a.code = $1`
)

/** The first addresses of one source, such as a role, in byte order. */
export interface SourceRow {
  /** A JSON array. PostgreSQL parses it, and returns null for an empty one. */
  emails: string | string[] | null
}

interface Dialect {
  jsonList: string
  inByteOrder: (column: string) => string
  /** Rows `given(role_id)`. */
  givenRoles: string
}

const [AFTER, MOMENT, LIMIT] = ['$1', '$2', '$3']

/**
 * One row per source of access. Each reads a range of an index, so that its cost does not depend on
 * how many users a source has.
 */
const candidatesSql = ({ jsonList, inByteOrder: ordered, givenRoles }: Dialect) => {
  const first = (table: string, row: string, condition: string) => `
    select ${jsonList}(holders.email) as emails from (
      select ${row}.email from ${table} ${row}
      where ${condition} and ${ordered(`${row}.email`)} > ${AFTER} and ${isActive(row, MOMENT)}
      order by ${ordered(`${row}.email`)} limit ${LIMIT}
    ) holders`
  return `${first('super_admins', 's', 'true')}
    union all ${first('application_admins', 'm', 'm.application_id = $4')}
    union all ${first(
      'resource_overrides',
      'o',
      `o.permission_id = $5 and o.resource_type = $6 and o.resource_id = $7 and o.granted = true`
    )}
    union all
    select (${first('user_roles', 'ur', 'ur.role_id = given.role_id')}) from ${givenRoles}`
}

export const subjectCandidates = {
  postgres: new PreparedQuery<SourceRow>(
    'subject_candidates',
    candidatesSql({
      jsonList: 'json_agg',
      inByteOrder: inByteOrder.postgres,
      givenRoles: 'unnest(cast($8 as integer[])) as given(role_id)',
    })
  ),
  sqlite: new PreparedQuery<SourceRow>(
    'subject_candidates',
    candidatesSql({
      jsonList: 'json_group_array',
      inByteOrder: inByteOrder.sqlite,
      givenRoles: '(select value as role_id from json_each($8)) as given',
    })
  ),
}
