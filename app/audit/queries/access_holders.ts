import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { inByteOrder, usesPostgres } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'
import { byBytes } from '#core/values/byte_order'
import { jsonList } from '#app/checks/actions/read_facts'

interface Addresses {
  /** A JSON array. PostgreSQL parses it, and returns null for an empty one. */
  emails: string | string[] | null
}

const [AFTER, APPLICATION, LIMIT, END] = ['$1', '$2', '$3', '$4']
/** After every address. */
const NO_END = '\u{10FFFF}'

interface Dialect {
  jsonList: string
  inByteOrder: (column: string) => string
}

/** One row per source. Each reads a range of an index. */
const administratorsAndRolesSql = ({ jsonList: list, inByteOrder: ordered }: Dialect) => {
  const first = (table: string, condition: string) => `
    select ${list}(holders.email) as emails from (
      select email from ${table}
      where ${condition} and ${ordered('email')} > ${AFTER}
      order by ${ordered('email')} limit ${LIMIT}
    ) holders`
  return `${first('super_admins', 'true')}
    union all ${first('application_admins', `application_id = ${APPLICATION}`)}
    union all
    select (${first('user_roles', 'role_id = roles.id')}) from roles
    where application_id = ${APPLICATION}
      and exists (select 1 from role_permissions where role_id = roles.id)`
}

const overridesSql = ({ jsonList: list, inByteOrder: ordered }: Dialect) => `
  select ${list}(holders.email) as emails from (
    select distinct ${ordered('email')} as email from resource_overrides
    where ${ordered('email')} > ${AFTER} and ${ordered('email')} <= ${END}
      and permission_id in (
        select id from permissions where application_id = ${APPLICATION} and global = false
      )
    order by 1 limit ${LIMIT}
  ) holders`

const postgres = { jsonList: 'json_agg', inByteOrder: inByteOrder.postgres }
const sqlite = { jsonList: 'json_group_array', inByteOrder: inByteOrder.sqlite }

const administratorsAndRoles = {
  postgres: new PreparedQuery<Addresses>('review_holders', administratorsAndRolesSql(postgres)),
  sqlite: new PreparedQuery<Addresses>('review_holders', administratorsAndRolesSql(sqlite)),
}
const overrides = {
  postgres: new PreparedQuery<Addresses>('review_overrides', overridesSql(postgres)),
  sqlite: new PreparedQuery<Addresses>('review_overrides', overridesSql(sqlite)),
}

/** The next users, in byte order, who hold any right of an application. */
export async function listHolders(
  applicationId: number,
  after: string,
  limit: number,
  client?: TransactionClientContract
) {
  const dialect = usesPostgres() ? 'postgres' : 'sqlite'
  const rows = await administratorsAndRoles[dialect].all([after, applicationId, limit], client)
  const holders = firstOf(rows, limit)
  // Without an end, it would read past many users who have overrides only in other applications.
  const end = holders.length === limit ? holders.at(-1) : NO_END
  const others = await overrides[dialect].all([after, applicationId, limit, end], client)
  return firstOf([...rows, ...others], limit)
}

function firstOf(rows: Addresses[], limit: number): string[] {
  const emails = new Set(rows.flatMap((row) => jsonList<string>(row.emails)))
  return [...emails].sort(byBytes).slice(0, limit)
}
