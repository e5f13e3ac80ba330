import pg from 'pg'

/** Of the application that is searched; the others only fill the tables. */
export const APPLICATION = 'app-5'
export const RESOURCE_TYPE = 'order'

const APPLICATIONS = 20
const ROLES_PER_APPLICATION = 10
const ROLES = APPLICATIONS * ROLES_PER_APPLICATION
const ROLES_PER_USER = 10
/** Above the ids of what the service seeds for itself. */
const FIRST_ID = 1_000

export const CONDITION = 'context.amount < 100 && resource.properties.status == "open"'

/** What grants each permission of an application to its first five roles. */
export const PERMISSIONS = { orders: null, limited: CONDITION }

const NOW = `timestamptz '2026-01-01T00:00:00Z'`
const APPLICATION_OF_ROLE = `${FIRST_ID} + role / ${ROLES_PER_APPLICATION}`

/** Five roles of ten grant the permissions, and a user has a role in every other application. */
const GRANTING_ROLES = 5

const permissions = Object.entries(PERMISSIONS)
const grants = permissions.map(([, condition], nth) => {
  const text = condition === null ? 'null' : `'${condition}'`
  return `(${nth}, cast(${text} as text))`
})
const codes = permissions.map(([code], nth) => `(${nth}, '${code}')`)

/** `$1` users, each with ten roles, and as many resources in the catalog of each searched type. */
const STATEMENTS = [
  `insert into applications (id, code, name, supported_languages, created_at, updated_at)
   select ${FIRST_ID} + app, 'app-' || app, 'Application ' || app, '[]', ${NOW}, ${NOW}
   from generate_series(0, ${APPLICATIONS - 1}) app`,
  `insert into permissions (id, application_id, code, type, global, created_at, updated_at)
   select ${FIRST_ID} + app * ${codes.length} + nth, ${FIRST_ID} + app, code, 'tiered', false, ${NOW}, ${NOW}
   from generate_series(0, ${APPLICATIONS - 1}) app, (values ${codes.join(', ')}) given(nth, code)`,
  `insert into roles (id, application_id, code, created_at, updated_at)
   select ${FIRST_ID} + role, ${APPLICATION_OF_ROLE}, 'role-' || role, ${NOW}, ${NOW}
   from generate_series(0, ${ROLES - 1}) role`,
  `insert into role_permissions (role_id, permission_id, access_level, condition)
   select ${FIRST_ID} + role, ${FIRST_ID} + role / ${ROLES_PER_APPLICATION} * ${codes.length} + nth,
     case when role % 2 = 0 then 'edit' else 'view' end, condition
   from generate_series(0, ${ROLES - 1}) role, (values ${grants.join(', ')}) given(nth, condition)
   where role % ${ROLES_PER_APPLICATION} < ${GRANTING_ROLES}`,
  `insert into users (email, active, theme, created_at, updated_at)
   select 'user' || lpad(u::text, 7, '0') || '@acme.example', u % 100 > 0, 'system', ${NOW}, ${NOW}
   from generate_series(1, USERS) u`,
  `insert into user_roles (email, role_id, created_at)
   select 'user' || lpad(u::text, 7, '0') || '@acme.example',
     ${FIRST_ID} + (u * 13 + u / ${ROLES} + k * ${ROLES / ROLES_PER_USER}) % ${ROLES}, ${NOW}
   from generate_series(1, USERS) u, generate_series(0, ${ROLES_PER_USER - 1}) k`,
  `insert into entities (id, application_id, code, name, created_at, updated_at)
   select ${FIRST_ID}, id, '${RESOURCE_TYPE}', 'Order', ${NOW}, ${NOW}
   from applications where code = '${APPLICATION}'`,
  `insert into resources (entity_id, resource_id, label, properties, created_at, updated_at)
   select ${FIRST_ID}, lpad(r::text, 7, '0'), 'Order ' || r,
     '{"status":"' || case when r % 2 = 0 then 'open' else 'closed' end || '"}', ${NOW}, ${NOW}
   from generate_series(1, USERS) r`,
]

export interface Build {
  seconds: number
  megabytes: number
  /** How many users hold the permissions, counted without the service. */
  subjects: number
}

/** Fills a database that the service has migrated and not read yet. */
export async function fill(url: string, users: number): Promise<Build> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const start = performance.now()
  // Every row refers to one that exists.
  await client.query(`set session_replication_role = replica`)
  for (const sql of STATEMENTS) await client.query(sql.replaceAll('USERS', String(users)))
  // What autovacuum would do within minutes.
  await client.query('vacuum (analyze)')
  const seconds = Math.round((performance.now() - start) / 1_000)
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes'
  )
  const counted = await client.query<{ subjects: string }>(
    `select count(distinct ur.email) as subjects
     from user_roles ur
     join users u on u.email = ur.email and u.active
     join roles r on r.id = ur.role_id
     join applications a on a.id = r.application_id and a.code = '${APPLICATION}'
     where (r.id - ${FIRST_ID}) % ${ROLES_PER_APPLICATION} < ${GRANTING_ROLES}`
  )
  await client.end()
  return {
    seconds,
    megabytes: Math.round(Number(rows[0].bytes) / 2 ** 20),
    subjects: Number(counted.rows[0].subjects),
  }
}
