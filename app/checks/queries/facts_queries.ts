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
  /** Whether the grants of roles are missing, because there are more than `MAX_GRANTS`. */
  lacks_grants?: boolean | number
}

/**
 * SQLite reads and groups this many grants in a few milliseconds, in which the process does nothing
 * else.
 */
export const MAX_GRANTS = 2_000

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

interface Dialect {
  jsonList: string
  jsonPair: string
  /** Which permissions are read. */
  filter: string
}

/** How it is found out what the user's roles grant. */
interface Grants {
  with: string
  rank: string
  conditional: string
  join: string
  /** A further column, after a comma. */
  column?: string
}

type ReadGrants = (dialect: Dialect) => Grants

export const conditionalGrants = ({ jsonList, jsonPair }: Pick<Dialect, 'jsonList' | 'jsonPair'>) =>
  `${jsonList}(${jsonPair}(${RANK}, rp.condition))`

/** Looks at the roles that grant the permission: best for one. */
const grantsOfPermission: ReadGrants = (dialect) => ({
  with: '',
  rank: `(
      select max(${RANK})
      from user_roles ur
      join role_permissions rp on rp.role_id = ur.role_id
      where ur.email = $1 and rp.permission_id = p.id and rp.condition is null
        and ${isActive('ur', MOMENT)}
    )`,
  conditional: `(
      select ${conditionalGrants(dialect)}
      from role_permissions rp
      cross join user_roles ur
      where rp.permission_id = p.id and rp.condition is not null
        and ur.role_id = rp.role_id and ur.email = $1 and ${isActive('ur', MOMENT)}
    )`,
  join: '',
})

const GRANTS_OF_PERMISSIONS = {
  rank: 'grants.role_rank',
  conditional: 'grants.conditional_grants',
  join: 'left join grants on grants.permission_id = p.id',
}

/** What the roles grant that the user has in the application. */
const GRANTS_OF_USER = `user_roles ur
    join roles r on r.id = ur.role_id
      and r.application_id = (select id from applications where code = $2)
    join role_permissions rp on rp.role_id = r.id
    where ur.email = $1 and ${isActive('ur', MOMENT)}`

/**
 * Looks at the roles that the user has in the application: best for many permissions, because it
 * does so once. Materialized, so that no plan can do it once per permission.
 */
const grantsOfUser: ReadGrants = (dialect) => ({
  with: `with ${grantsTable(dialect)}`,
  ...GRANTS_OF_PERMISSIONS,
})

/** The same, but leaves them out if there are too many. */
const fewGrantsOfUser: ReadGrants = (dialect) => ({
  with: `
  with size as materialized (
    select count(*) <= ${MAX_GRANTS} as is_small
    from (select 1 from ${GRANTS_OF_USER} limit ${MAX_GRANTS + 1})
  ), ${grantsTable(dialect, 'and (select is_small from size)')}`,
  ...GRANTS_OF_PERMISSIONS,
  column: ', not (select is_small from size) as lacks_grants',
})

function grantsTable(dialect: Dialect, filter = '') {
  return `grants as materialized (
    select rp.permission_id, max(${RANK}) filter (where rp.condition is null) as role_rank,
      ${conditionalGrants(dialect)} filter (where rp.condition is not null) as conditional_grants
    from ${GRANTS_OF_USER} ${filter}
    group by rp.permission_id
  )`
}

/**
 * One row per permission, each with the columns of the user, or a single row without a permission.
 */
const factsSql = (dialect: Dialect, grants: Grants) => `${grants.with}
  select
    (select u.active from users u where u.email = $1) as active,
    exists(
      select 1 from super_admins s where s.email = $1 and ${isActive('s', MOMENT)}
    ) as super_admin,
    m.id is not null as application_admin,
    p.code, p.type, p.global, p.group_name,
    ${grants.rank} as role_rank,
    ${grants.conditional} as conditional_grants,
    o.granted, o.access_level as override_level, o.condition as override_condition,
    ${nextBoundary('$1', MOMENT)} as boundary
    ${grants.column ?? ''}
  from (select 1 as present) always
  left join applications a on a.code = $2
  left join application_admins m
    on m.email = $1 and m.application_id = a.id and ${isActive('m', MOMENT)}
  left join permissions p on p.application_id = a.id ${dialect.filter}
  ${grants.join}
  left join resource_overrides o
    on o.email = $1 and o.resource_type = $3 and o.resource_id = $4
    and o.permission_id = p.id and ${isActive('o', MOMENT)}`

interface Filter {
  postgres: string
  sqlite: string
}

const POSTGRES = { jsonList: 'json_agg', jsonPair: 'json_build_array' }
export const SQLITE = { jsonList: 'json_group_array', jsonPair: 'json_array' }

function factsQuery(name: string, readGrants: ReadGrants, filter: Filter) {
  const query = (dialect: Dialect) =>
    new PreparedQuery<FactsRow>(name, factsSql(dialect, readGrants(dialect)))
  return {
    postgres: query({ ...POSTGRES, filter: filter.postgres }),
    sqlite: query({ ...SQLITE, filter: filter.sqlite }),
  }
}

/** For many permissions. `sqliteIfFew` leaves out the grants if there are too many. */
const manyFactsQuery = (name: string, filter: Filter) => ({
  ...factsQuery(name, grantsOfUser, filter),
  sqliteIfFew: factsQuery(`${name}_few`, fewGrantsOfUser, filter).sqlite,
})

export type ManyFactsQuery = ReturnType<typeof manyFactsQuery>

const isNamed = `and p.code = ${FILTER}`

export const onePermission = factsQuery('facts_one', grantsOfPermission, {
  postgres: isNamed,
  sqlite: isNamed,
})
export const everyPermission = manyFactsQuery('facts_every', { postgres: '', sqlite: '' })
export const somePermissions = manyFactsQuery('facts_some', {
  postgres: `and p.code = any(${FILTER})`,
  sqlite: `and p.code in (select value from json_each(${FILTER}))`,
})
