import { isActive } from '#core/database/active_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import { RANK, SQLITE, conditionalGrants } from '#app/checks/queries/facts_queries'

export interface RoleSize {
  id: number
  /** How many permissions it grants. */
  grants: number
}

/** The roles that a user has in an application at a moment. */
export const rolesOfUser = new PreparedQuery<RoleSize>(
  'facts_roles',
  `select r.id,
     cast((select count(*) from role_permissions rp where rp.role_id = r.id) as integer) as grants
   from user_roles ur
   join roles r on r.id = ur.role_id
     and r.application_id = (select id from applications where code = $2)
   where ur.email = $1 and ${isActive('ur', '$3')}`
)

/** What roles grant together, one row per permission. Only for SQLite. */
export const grantsOfRoles = new PreparedQuery<{
  code: string
  role_rank: number | null
  conditional_grants: string
}>(
  'facts_grants',
  `select p.code, max(${RANK}) filter (where rp.condition is null) as role_rank,
     ${conditionalGrants(SQLITE)} filter (where rp.condition is not null)
       as conditional_grants
   from role_permissions rp
   join permissions p on p.id = rp.permission_id
   where rp.role_id in (select value from json_each($1))
   group by p.id`
)

/** Differs after each change of rights. */
export const latestAccessChange = new PreparedQuery<{ id: number | null }>(
  'facts_latest_change',
  'select max(id) as id from access_changes'
)
