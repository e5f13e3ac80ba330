import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from 'better-sqlite3'

const USUAL_MS = 5_000
const BRIEF_MS = 50

const brief = new AsyncLocalStorage<true>()

/**
 * Lets writes to SQLite fail soon if another process has locked the database, because waiting
 * blocks the whole process. For work that is repeated anyway.
 */
export function withBriefLockWait<T>(work: () => Promise<T>): Promise<T> {
  return brief.run(true, async () => work())
}

/** Each statement on this connection waits for locks as long as the work that it belongs to may. */
export function limitLockWaits(connection: Database) {
  const prepare = connection.prepare.bind(connection)
  let currentMs: number | undefined
  const setLimit = (ms: number) => {
    if (ms === currentMs) return
    connection.pragma(`busy_timeout = ${ms}`)
    currentMs = ms
  }
  setLimit(USUAL_MS)
  connection.prepare = ((sql: string) => {
    setLimit(brief.getStore() ? BRIEF_MS : USUAL_MS)
    return prepare(sql)
  }) as Database['prepare']
}
