import type { Database, Statement } from 'better-sqlite3'
import pg from 'pg'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'

/** The connection that hears of other processes' changes asks this now and then. */
const HEARTBEAT = 'select 1'
const EXECUTING = ['all', 'get', 'run', 'iterate'] as const

/**
 * The SQL or the name of every statement that reached the database driver while `work` ran, whoever sent it. Nothing else may run
 * beside it.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const restore = usesPostgres() ? watchPostgres(statements) : await watchSqlite(statements)
  try {
    await work()
  } finally {
    restore()
  }
  return statements
}

/** Everything a connection sends goes through one of these, prepared or not. */
function watchPostgres(statements: string[]) {
  const connection = pg.Connection.prototype
  const { query, parse, bind } = connection
  const parsed = new WeakMap<pg.Connection, string>()
  connection.query = function (text, ...rest) {
    if (text !== HEARTBEAT) statements.push(text)
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
  const originals = EXECUTING.map((method) => [method, prototype[method]] as const)
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
