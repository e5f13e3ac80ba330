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

/** Whether the work in progress may not wait for a lock as long as others. */
export const waitsBriefly = () => brief.getStore() === true

/**
 * Statements wait for locks no longer than the work that they belong to may. The limit is set only
 * while a brief one runs: other work shares the connection, and does not prepare all it runs.
 */
export function limitLockWaits(connection: Database) {
  const setLimit = (ms: number) => connection.pragma(`busy_timeout = ${ms}`)
  const briefly = <T>(work: () => T): T => {
    if (!waitsBriefly()) return work()
    setLimit(BRIEF_MS)
    try {
      return work()
    } finally {
      setLimit(USUAL_MS)
    }
  }
  setLimit(USUAL_MS)
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((sql: string) => {
    const statement = briefly(() => prepare(sql))
    if (!waitsBriefly()) return statement
    for (const method of ['all', 'get', 'run'] as const) {
      const execute = statement[method].bind(statement)
      const limited = (...values: unknown[]) => briefly(() => execute(...values))
      Object.assign(statement, { [method]: limited })
    }
    return statement
  }) as Database['prepare']
}
