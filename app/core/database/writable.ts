import Database from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { sqlitePath } from '#core/database/sqlite_path'

const GOOD_FOR_MS = 5_000

let answer: { isWritable: Promise<boolean>; until: number } | undefined

/** A full disk, a standby and read-only mode still answer reads. */
export function isDatabaseWritable(): Promise<boolean> {
  if (!answer || performance.now() > answer.until) {
    const isWritable = usesPostgres() ? acceptsWrites() : Promise.resolve(canWriteFile())
    answer = { isWritable, until: performance.now() + GOOD_FOR_MS }
  }
  return answer.isWritable
}

async function acceptsWrites() {
  try {
    const { rows }: { rows: { accepts: boolean }[] } = await db.rawQuery(
      "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as accepts"
    )
    return rows[0].accepts
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
