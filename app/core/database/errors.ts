/** On the way to the server. */
const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
])

/**
 * PostgreSQL: connection (08), login refused (28), resources used up (53), shutting or starting up and cancelled (57),
 * system error (58), no such database, a standby that takes no writes, a lock not granted, deadlock, serialisation.
 */
const POSTGRES = /^(?:08|28|53|57|58)...$|^(?:3D000|25006|55P03|40P01|40001)$/

/** SQLite: held by another process, or its file cannot be read or written; extended codes begin with these. */
const SQLITE = /^SQLITE_(?:BUSY|LOCKED|CANTOPEN|IOERR|READONLY|FULL|PROTOCOL)/

/** What drivers say without a code; the last one when the connection went between two statements of a transaction. */
const CONNECTION_MESSAGES =
  /Connection terminated|Timeout acquiring a connection|Query read timeout|timeout expired|Client has encountered a connection error|Connection ended unexpectedly|not queryable|Transaction query already complete/

/** Whether the database could not be asked at all (or gave way to another transaction), so that trying again helps. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    NETWORK.has(code) ||
    POSTGRES.test(code) ||
    SQLITE.test(code) ||
    CONNECTION_MESSAGES.test(error.message)
  )
}

/** Whether a unique constraint refused the write, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}

/** Whether a row was refused because what it belongs to does not exist (any more), on either database. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '23503' || error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}
