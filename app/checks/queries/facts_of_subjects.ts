import { isActive } from '#core/database/active_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import type { FactsRow } from '#app/checks/queries/facts_queries'

/** What differs between the users of one question. */
export interface SubjectFactsRow extends Pick<
  FactsRow,
  | 'active'
  | 'super_admin'
  | 'application_admin'
  | 'granted'
  | 'override_level'
  | 'override_condition'
> {
  email: string
  /** The ids of those of the given roles that the user has: a JSON array; null if none. */
  role_ids: string | number[] | null
}

interface Dialect {
  /** Rows with an `email`. */
  asked: string
  jsonList: string
  isGivenRole: string
}

/**
 * One row per user. Like `facts_queries.ts`, but for many users of one permission: what it costs
 * hardly depends on how many roles and administrators there are.
 */
const factsSql = ({ asked, jsonList, isGivenRole }: Dialect) => `
  select asked.email,
    (select u.active from users u where u.email = asked.email) as active,
    s.id is not null as super_admin, m.id is not null as application_admin,
    (
      select ${jsonList}(ur.role_id) from user_roles ur
      where ur.email = asked.email and ${isGivenRole} and ${isActive('ur', '$6')}
    ) as role_ids,
    o.granted, o.access_level as override_level, o.condition as override_condition
  from ${asked}
  left join super_admins s on s.email = asked.email and ${isActive('s', '$6')}
  left join application_admins m
    on m.email = asked.email and m.application_id = $2 and ${isActive('m', '$6')}
  left join resource_overrides o
    on o.email = asked.email and o.resource_type = $4 and o.resource_id = $5
    and o.permission_id = $3 and ${isActive('o', '$6')}`

export const factsOfSubjects = {
  postgres: new PreparedQuery<SubjectFactsRow>(
    'facts_of_subjects',
    factsSql({
      asked: 'unnest(cast($1 as text[])) as asked(email)',
      jsonList: 'json_agg',
      isGivenRole: 'ur.role_id = any($7)',
    })
  ),
  sqlite: new PreparedQuery<SubjectFactsRow>(
    'facts_of_subjects',
    factsSql({
      asked: '(select value as email from json_each($1)) as asked',
      jsonList: 'json_group_array',
      isGivenRole: 'ur.role_id in (select value from json_each($7))',
    })
  ),
}
