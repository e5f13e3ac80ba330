import type { Database } from 'better-sqlite3'

/** Quoted texts and names contain no parameters. */
const QUOTED_OR_PARAMETER = /'[^']*'|"[^"]*"|`[^`]*`|\?|\$\d+/g
const isParameter = (part: string) => part.startsWith('?') || part.startsWith('$')

/**
 * Keeps SQLite from planning a prepared statement again for each execution.
 *
 * SQLite, as `better-sqlite3` compiles it (`SQLITE_ENABLE_STAT4`), looks at the values of
 * parameters that a column is compared to, and so prepares the statement again whenever they
 * change, which takes ten times as long as running it. It ignores parameters with a unary plus,
 * which changes neither the value nor the use of indexes.
 */
export function keepPlans(connection: Database) {
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((sql: string) => prepare(hideValues(sql))) as Database['prepare']
}

function hideValues(sql: string): string {
  return sql.replace(QUOTED_OR_PARAMETER, (part) => (isParameter(part) ? `+${part}` : part))
}
