const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
])

/** Connection, login, resources, shutdown, system errors; 3D000 and 25...; locks and conflicts. */
const POSTGRES = /^(?:08|28|53|57|58)...$|^(?:3D000|25006|25P03|55P03|40P01|40001)$/

/** Locked by another process, or the file is not readable or writable; also extended codes. */
const SQLITE = /^SQLITE_(?:BUSY|LOCKED|CANTOPEN|IOERR|READONLY|FULL|PROTOCOL)/

/** Messages of errors that have no code, of the driver and of `NoWritableServer`. */
const CONNECTION_MESSAGES =
  /Connection terminated|Timeout acquiring a connection|Query read timeout|timeout expired|Client has encountered a connection error|Connection ended unexpectedly|not queryable|Transaction query already complete|No database server accepts writes/

/** Whether the database was unavailable or aborted a conflicting transaction. */
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

export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}

export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '23503' || error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}
