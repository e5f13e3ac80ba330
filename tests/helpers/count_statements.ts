import type { Database, Statement } from 'better-sqlite3'
import pg from 'pg'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'

/** Sent periodically by what follows changes of access. */
const PERIODIC = /^select 1$|access_changes_after|from change_revisions/
const EXECUTE_METHODS = ['all', 'get', 'run', 'iterate'] as const

/** The SQL or name of every statement that reached the driver during `work`, whoever sent it. */
export async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const restore = usesPostgres() ? watchPostgres(statements) : await watchSqlite(statements)
  try {
    await work()
  } finally {
    restore()
  }
  return statements.filter((statement) => !PERIODIC.test(statement))
}

/** All statements of a connection pass through these methods. */
function watchPostgres(statements: string[]) {
  const connection = pg.Connection.prototype
  const { query, parse, bind } = connection
  const parsed = new WeakMap<pg.Connection, string>()
  connection.query = function (text, ...rest) {
    statements.push(text)
    return query.call(this, text, ...rest)
  }
  connection.parse = function (statement, ...rest) {
    parsed.set(this, statement.text)
    return parse.call(this, statement, ...rest)
  }
  connection.bind = function (config, ...rest) {
    // One without a name was parsed just before.
    statements.push(config?.statement || (parsed.get(this) ?? ''))
    return bind.call(this, config, ...rest)
  }
  return () => Object.assign(connection, { query, parse, bind })
}

async function watchSqlite(statements: string[]) {
  const { client } = db.connection().getReadClient()
  const connection: Database = await client.acquireConnection()
  const prototype: Statement = Object.getPrototypeOf(connection.prepare('select 1'))
  client.releaseConnection(connection)
  const originals = EXECUTE_METHODS.map((method) => [method, prototype[method]] as const)
  for (const [method, original] of originals) {
    const watching: unknown = function (this: Statement, ...args: unknown[]) {
      statements.push(this.source)
      return Reflect.apply(original, this, args)
    }
    Object.assign(prototype, { [method]: watching })
  }
  return () => {
    for (const [method, original] of originals) Object.assign(prototype, { [method]: original })
  }
}
