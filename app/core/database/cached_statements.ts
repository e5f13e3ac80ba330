import type { Database, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { waitsBriefly } from '#core/database/lock_wait'

const MOST_STATEMENTS = 1_000
/** Memory grows with the length of the SQL, about 70 bytes for each character. */
const MOST_CHARACTERS = 200_000
/** Longer ones are lists of values, and hardly ever the same. */
const LONGEST = 10_000

/**
 * Prepares each statement of a connection once, because that takes SQLite longer than running it.
 * SQLite prepares it again itself after a change of the schema. Only for callers that do not change
 * the mode of a statement, such as knex.
 */
export function cacheStatements(connection: Database) {
  const prepare = connection.prepare.bind(connection)
  const statements = new LRUCache<string, Statement>({
    max: MOST_STATEMENTS,
    maxSize: MOST_CHARACTERS,
    maxEntrySize: LONGEST,
    sizeCalculation: (_, sql) => sql.length,
  })
  connection.prepare = ((sql: string) => {
    if (waitsBriefly()) return prepare(sql)
    let statement = statements.get(sql)
    if (!statement) {
      statement = prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }) as Database['prepare']
}
