import { setTimeout as pause } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import { usesPostgres } from '#core/database/dialect'
import { PostgresLock } from '#core/database/locks/postgres_lock'
import { SqliteLock } from '#core/database/locks/sqlite_lock'
import type { ProcessLock } from '#core/database/locks/process_lock'

const RETRY_MS = 100
const MAX_WAIT_MS = 5 * 60_000

const TIMED_OUT =
  'Another process has been preparing the database for more than 5 minutes. ' +
  'If it is still migrating, wait until it has finished; if it hangs, stop it. Then start this process again'

const STOPPED =
  'This process was stopped while it waited for another process to prepare the database'

let isHeld = false

/** Runs work that only one process may do at a time. @throws Error on a timeout or shutdown */
export async function withMigrationLock<T>(work: () => Promise<T>): Promise<T> {
  // Commands call each other, such as migration:fresh and migration:run.
  if (isHeld) return work()
  const lock: ProcessLock = usesPostgres() ? new PostgresLock() : new SqliteLock()
  try {
    await acquire(lock)
    isHeld = true
    return await Promise.race([work(), lock.lost])
  } finally {
    isHeld = false
    await lock.release()
  }
}

async function acquire(lock: ProcessLock) {
  const deadline = performance.now() + MAX_WAIT_MS
  for (let isFirst = true; !(await lock.tryAcquire()); isFirst = false) {
    if (isFirst) logger.info('Waiting for another process to prepare the database')
    if (app.isTerminating || app.isTerminated) throw new Error(STOPPED)
    if (performance.now() > deadline) throw new Error(TIMED_OUT)
    await pause(RETRY_MS)
  }
}
