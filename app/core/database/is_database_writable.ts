import Database from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { sqlitePath } from '#core/database/sqlite_path'

const CACHE_MS = 5_000

let cached: { isWritable: Promise<boolean>; expiresAt: number } | undefined

/** Reads still succeed with a full disk, on a standby and in read-only mode. */
export function isDatabaseWritable(): Promise<boolean> {
  if (!cached || performance.now() > cached.expiresAt) {
    const isWritable = usesPostgres() ? acceptsWrites() : Promise.resolve(canWriteFile())
    cached = { isWritable, expiresAt: performance.now() + CACHE_MS }
  }
  return cached.isWritable
}

async function acceptsWrites() {
  try {
    const { rows }: { rows: { writable: boolean }[] } = await db.rawQuery(
      "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable"
    )
    return rows[0].writable
  } catch {
    return false
  }
}

/** Rewrites a row unchanged. A file that another writer has locked counts as writable. */
function canWriteFile() {
  let file: Database.Database | undefined
  try {
    file = new Database(sqlitePath(), { fileMustExist: true, timeout: 0 })
    // Losing this write in a crash would not matter.
    file.pragma('synchronous = NORMAL')
    file.exec('update adonis_schema_versions set version = version')
    return true
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
  } finally {
    file?.close()
  }
}
