import type { Database } from 'better-sqlite3'

/** What a quoted text or name holds is no parameter. */
const QUOTED_OR_PARAMETER = /'[^']*'|"[^"]*"|`[^`]*`|\?|\$\d+/g
const isParameter = (part: string) => part.startsWith('?') || part.startsWith('$')

/**
 * Keeps SQLite from planning a prepared statement anew for each execution.
 *
 * SQLite, as `better-sqlite3` compiles it (`SQLITE_ENABLE_STAT4`), looks at the values of
 * parameters that a column is compared to, and so prepares the statement again whenever they
 * change, which takes ten times as long as running it. It does not look behind a unary plus, which
 * changes neither a value nor what an index is good for.
 */
export function keepPlans(connection: Database) {
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((sql: string) => prepare(hideValues(sql))) as Database['prepare']
}

function hideValues(sql: string): string {
  return sql.replace(QUOTED_OR_PARAMETER, (part) => (isParameter(part) ? `+${part}` : part))
}
