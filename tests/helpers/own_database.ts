import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import { createDatabaseOn } from '#tests/world/postgres'

interface OwnDatabase {
  settings: { DB_CONNECTION: string; DATABASE_URL?: string; SQLITE_PATH?: string }
  /** The number of completed migrations. */
  migrations(): Promise<number>
  remove(): Promise<void>
}

const COUNT = 'select count(*) as count from adonis_schema'

/** An empty database of the kind that the tests use. */
export const ownDatabase = (): Promise<OwnDatabase> =>
  process.env.DB_CONNECTION === 'pg' ? onPostgres() : Promise.resolve(onSqlite())

async function onPostgres() {
  const { url, stop } = await createDatabaseOn(process.env.DATABASE_URL!)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return {
    settings: { DB_CONNECTION: 'pg', DATABASE_URL: url },
    migrations: async () => {
      const { rows } = await client.query(COUNT).catch(() => ({ rows: [{ count: 0 }] }))
      return Number(rows[0].count)
    },
    remove: async () => {
      await client.end()
      await stop()
    },
  }
}

function onSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-database-'))
  const path = join(folder, `${randomBytes(4).toString('hex')}.sqlite3`)
  return {
    settings: { DB_CONNECTION: 'sqlite', SQLITE_PATH: path },
    migrations: async () => {
      try {
        const file = new BetterSqlite(path, { readonly: true })
        const row = file.prepare<[], { count: number }>(COUNT).get()
        file.close()
        return row?.count ?? 0
      } catch {
        return 0
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
