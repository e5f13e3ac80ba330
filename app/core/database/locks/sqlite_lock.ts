import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { sqlitePath } from '#core/database/sqlite_path'
import type { ProcessLock } from '#core/database/locks/process_lock'

/**
 * An exclusive transaction on an empty file beside the database, because a lock on the database
 * itself would block the migrations. The operating system releases it when the process ends.
 */
export class SqliteLock implements ProcessLock {
  readonly lost = new Promise<never>(() => {})
  #file?: Database.Database

  async tryAcquire() {
    try {
      this.#file ??= open()
      this.#file.exec('begin exclusive')
      return true
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
        return false
      throw error
    }
  }

  async release() {
    this.#file?.close()
  }
}

function open() {
  const path = `${sqlitePath()}-lock`
  closeSync(openSync(path, 'a', 0o600))
  // Waiting here would block signal handlers.
  return new Database(path, { timeout: 0 })
}
