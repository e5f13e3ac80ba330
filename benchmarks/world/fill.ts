import Sqlite from 'better-sqlite3'
import pg from 'pg'
import {
  APPLICATIONS,
  PERMISSIONS_PER_APPLICATION,
  ROLES_PER_APPLICATION,
  type Workload,
  applicationCode,
  emailOf,
  isTiered,
  permissionCode,
  roleCode,
  roleOf,
} from './workload.ts'

/** Above the ids of what the service seeds for itself. */
const FIRST_ID = 1_000
const NOW = '2026-01-01T00:00:00.000Z'

interface Table {
  name: string
  columns: string[]
  rows: Iterable<unknown[]>
}

/** Writes the workload to a database that the service has migrated and not read yet. */
export async function fillPostgres(url: string, workload: Workload) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const { name, columns, rows } of tables(workload)) {
    const select = columns.map((column) => `(r).${column}`).join(', ')
    const sql = `insert into ${name} (${columns.join(', ')})
      select ${select} from (select json_populate_recordset(null::${name}, $1) as r) given`
    for (const chunk of chunks(rows, 10_000)) {
      const records = chunk.map((row) => Object.fromEntries(columns.map((c, i) => [c, row[i]])))
      await client.query(sql, [JSON.stringify(records)])
    }
  }
  // What autovacuum would do within a minute.
  await client.query('analyze')
  await client.end()
}

/** The same for SQLite. @param condition of everything that roles grant, in CEL */
export function fillSqlite(path: string, workload: Workload, condition: string | null = null) {
  const database = new Sqlite(path)
  database.pragma('busy_timeout = 5000')
  database.transaction(() => {
    for (const { name, columns, rows } of tables(workload, condition)) {
      const places = columns.map(() => '?').join(', ')
      const insert = database.prepare(
        `insert into ${name} (${columns.join(', ')}) values (${places})`
      )
      for (const row of rows) insert.run(row.map((v) => (typeof v === 'boolean' ? Number(v) : v)))
    }
  })()
  database.close()
}

function tables(workload: Workload, condition: string | null = null): Table[] {
  return [
    {
      name: 'applications',
      columns: ['id', 'code', 'name', 'supported_languages', 'created_at', 'updated_at'],
      rows: applicationRows(),
    },
    {
      name: 'permissions',
      columns: ['id', 'application_id', 'code', 'type', 'global', 'created_at', 'updated_at'],
      rows: permissionRows(),
    },
    {
      name: 'roles',
      columns: ['id', 'application_id', 'code', 'created_at', 'updated_at'],
      rows: roleRows(),
    },
    {
      name: 'role_permissions',
      columns: ['role_id', 'permission_id', 'access_level', 'condition'],
      rows: grantRows(condition),
    },
    {
      name: 'users',
      columns: ['email', 'active', 'theme', 'created_at', 'updated_at'],
      rows: userRows(workload),
    },
    {
      name: 'user_roles',
      columns: ['email', 'role_id', 'created_at'],
      rows: assignmentRows(workload),
    },
  ]
}

const roleId = (app: number, role: number) => FIRST_ID + app * ROLES_PER_APPLICATION + role
const permissionId = (app: number, permission: number) =>
  FIRST_ID + app * PERMISSIONS_PER_APPLICATION + permission

function* applicationRows() {
  for (let app = 0; app < APPLICATIONS; app++) {
    yield [FIRST_ID + app, applicationCode(app), `Application ${app}`, '[]', NOW, NOW]
  }
}

function* permissions() {
  for (let app = 0; app < APPLICATIONS; app++) {
    for (let permission = 0; permission < PERMISSIONS_PER_APPLICATION; permission++) {
      yield { app, permission }
    }
  }
}

function* permissionRows() {
  for (const { app, permission } of permissions()) {
    const type = isTiered(permission) ? 'tiered' : 'binary'
    const code = permissionCode(permission)
    yield [permissionId(app, permission), FIRST_ID + app, code, type, false, NOW, NOW]
  }
}

function* roleRows() {
  for (let app = 0; app < APPLICATIONS; app++) {
    for (let role = 0; role < ROLES_PER_APPLICATION; role++) {
      yield [roleId(app, role), FIRST_ID + app, roleCode(role), NOW, NOW]
    }
  }
}

function* grantRows(condition: string | null) {
  for (const { app, permission } of permissions()) {
    const level = isTiered(permission) ? 'view' : 'allowed'
    yield [roleId(app, roleOf(permission)), permissionId(app, permission), level, condition]
  }
}

function* userRows(workload: Workload) {
  for (const [user] of workload.entries()) yield [emailOf(user), true, 'system', NOW, NOW]
}

function* assignmentRows(workload: Workload) {
  for (const [user, assignments] of workload.entries()) {
    for (const { app, role } of assignments) yield [emailOf(user), roleId(app, role), NOW]
  }
}

function* chunks<T>(items: Iterable<T>, size: number) {
  let chunk: T[] = []
  for (const item of items) {
    if (chunk.push(item) < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
