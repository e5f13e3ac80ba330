import Sqlite from 'better-sqlite3'
import pg from 'pg'

export const APPLICATION = 'shop'
export const PERMISSIONS = 100
const ROLES = 50
const ROLES_PER_USER = 4
const RESOURCES = 10
/** Above the ids of what the service seeds for itself. */
const FIRST_ID = 1_000
const AT = '2026-01-01T00:00:00.000Z'

type Row = Record<string, string | number | boolean | null>

const times = { created_at: AT, updated_at: AT }
const count = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, i) => make(i))

/** A role that everyone has, and 50 roles of which everyone has four others. */
export const EVERYONE = FIRST_ID + ROLES
export const OWN_ROLES = count(ROLES, (role) => FIRST_ID + role)
export const PERMISSION_IDS = count(PERMISSIONS, (permission) => FIRST_ID + permission)

/** The level at which a role grants a permission: half of them, in a pattern of its own. */
export function levelOf(role: number, permission: number): 'view' | 'edit' | null {
  const hash = (role * 31 + permission * 17 + ((role * permission) % 7)) % 4
  return hash === 0 ? 'view' : hash === 1 ? 'edit' : null
}

function tablesFor(users: number): Record<string, Row[]> {
  const email = (user: number) => `user${String(user).padStart(7, '0')}@acme.example`
  return {
    applications: [
      { id: FIRST_ID, code: APPLICATION, name: 'Shop', supported_languages: '[]', ...times },
    ],
    permissions: PERMISSION_IDS.map((id) => ({
      id,
      application_id: FIRST_ID,
      code: `permission-${id}`,
      type: 'tiered',
      global: false,
      ...times,
    })),
    roles: [...OWN_ROLES, EVERYONE].map((id) => ({
      id,
      application_id: FIRST_ID,
      code: `role-${id}`,
      ...times,
    })),
    role_permissions: [
      ...PERMISSION_IDS.map((id) => ({
        role_id: EVERYONE,
        permission_id: id,
        access_level: 'view',
      })),
      ...OWN_ROLES.flatMap((role) =>
        PERMISSION_IDS.flatMap((permission) => {
          const level = levelOf(role, permission)
          return level ? [{ role_id: role, permission_id: permission, access_level: level }] : []
        })
      ),
    ],
    users: count(users, (user) => ({
      email: email(user),
      active: true,
      theme: 'system',
      ...times,
    })),
    user_roles: count(users, (user) => [
      { email: email(user), role_id: EVERYONE, created_at: AT },
      ...rolesOf(user).map((role) => ({ email: email(user), role_id: role, created_at: AT })),
    ]).flat(),
    entities: [{ id: FIRST_ID, application_id: FIRST_ID, code: 'order', name: 'Order', ...times }],
    resources: count(RESOURCES, (resource) => ({
      entity_id: FIRST_ID,
      resource_id: `${resource}`,
      properties: '{}',
      ...times,
    })),
    resource_overrides: count(users, (user) => ({
      email: email(user),
      resource_type: 'order',
      resource_id: `${user % RESOURCES}`,
      permission_id: PERMISSION_IDS[user % PERMISSIONS],
      granted: user % 2 === 0,
      created_at: AT,
    })),
  }
}

/** Combinations of four roles, so that hardly two users have the same. */
function rolesOf(user: number): number[] {
  const chosen = new Set<number>()
  for (let step = 1; chosen.size < ROLES_PER_USER; step++) {
    chosen.add(
      OWN_ROLES[(user * 7 + step * step * (1 + (user % 48)) + Math.floor(user / 50)) % ROLES]
    )
    if (step > 40) chosen.add(OWN_ROLES[step % ROLES])
  }
  return [...chosen]
}

/** Fills a database that the service has migrated and not read yet. */
export async function fillPostgres(url: string, users: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [table, rows] of Object.entries(tablesFor(users))) {
    const columns = Object.keys(rows[0]).join(', ')
    await client.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)]
    )
  }
  await client.query('vacuum (analyze)')
  await client.end()
}

export function fillSqlite(path: string, users: number) {
  const database = new Sqlite(path)
  database.pragma('foreign_keys = ON')
  database.transaction(() => {
    for (const [table, rows] of Object.entries(tablesFor(users))) {
      const columns = Object.keys(rows[0])
      const insert = database.prepare(
        `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      )
      for (const row of rows) {
        insert.run(
          columns.map((column) =>
            typeof row[column] === 'boolean' ? Number(row[column]) : row[column]
          )
        )
      }
    }
  })()
  database.exec('analyze')
  database.close()
}
