const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  // PostgreSQL: too many connections, shutting down, starting up, deadlock, serialisation
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '40P01',
  '40001',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
])

const CONNECTION_MESSAGES =
  /Connection terminated|Timeout acquiring a connection|Query read timeout|timeout expired|Client has encountered a connection error|Connection ended unexpectedly|not queryable/

/** Whether the database could not be asked at all (or gave way to another transaction), so that trying again helps. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    CONNECTION_ERRORS.has(code) || code.startsWith('08') || CONNECTION_MESSAGES.test(error.message)
  )
}

/** Whether a unique constraint refused the write, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}
