import type { Database, Statement } from 'better-sqlite3'
import pg from 'pg'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'

const EXECUTING = ['all', 'get', 'run', 'iterate'] as const

/**
 * The SQL of every statement that reached the database driver while `work` ran, whoever sent it. Nothing else may run
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

function watchPostgres(statements: string[]) {
  const { query } = pg.Client.prototype
  const watching: unknown = function (this: pg.Client, ...args: Parameters<typeof query>) {
    const [config] = args as unknown[]
    const text = typeof config === 'string' ? config : (config as { text: string }).text
    // A new connection of the pool introduces itself.
    if (!isOfNotifications(this) && !/^select version\(\)/i.test(text)) statements.push(text)
    return query.apply(this, args)
  }
  pg.Client.prototype.query = watching as typeof query
  return () => {
    pg.Client.prototype.query = query
  }
}

/** The connection that hears of other processes' changes asks now and then whether it still lives. */
function isOfNotifications(client: pg.Client) {
  const { connectionParameters } = client as unknown as {
    connectionParameters: { application_name?: string }
  }
  return connectionParameters.application_name === 'concierge_notifications'
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
