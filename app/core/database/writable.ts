import Database from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { sqlitePath } from '#core/database/sqlite_path'

/** How long an answer is good for everybody who asks, in milliseconds. */
const GOOD_FOR_MS = 5_000

let answer: { isWritable: Promise<boolean>; until: number } | undefined

/** Whether the database takes writes: a full disk, a standby and read-only mode still answer reads. */
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

/** Writes a row as it is. The connection is its own, so that it need not wait: whoever holds the lock can write. */
function canWriteFile() {
  let file: Database.Database | undefined
  try {
    file = new Database(sqlitePath(), { fileMustExist: true, timeout: 0 })
    // Only an end of the machine could undo this write, and nobody would miss it.
    file.pragma('synchronous = NORMAL')
    file.exec('update adonis_schema_versions set version = version')
    return true
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
  } finally {
    file?.close()
  }
}
