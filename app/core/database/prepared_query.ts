import type { Database, Statement } from 'better-sqlite3'
import type { Client } from 'pg'
import db from '@adonisjs/lucid/services/db'

/**
 * One hand-written statement for the hot path, prepared once per connection. It goes to the driver directly, because
 * the query builder and models cost more there than the whole HTTP stack. Placeholders are `$1`, `$2`, … on both databases.
 *
 * @example
 * const query = new PreparedQuery<{ id: number }>('user_by_email', 'select id from users where email = $1')
 * const rows = await query.all(['ada@acme.example'])
 */
export class PreparedQuery<Row> {
  /** Statements by connection: they go when the pool drops the connection. */
  readonly #statements = new WeakMap<Database, Statement<[Record<string, unknown>], Row>>()

  constructor(
    /** Unique among prepared queries; PostgreSQL remembers the plan under it. */
    readonly name: string,
    readonly sql: string
  ) {}

  async all(values: unknown[]): Promise<Row[]> {
    const { client } = db.connection().getReadClient()
    const connection = await client.acquireConnection()
    try {
      return client.config.client === 'pg'
        ? await this.#allFromPostgres(connection, values)
        : this.#allFromSqlite(connection, values)
    } finally {
      client.releaseConnection(connection)
    }
  }

  async #allFromPostgres(connection: Client, values: unknown[]) {
    const result = await connection.query({ name: this.name, text: this.sql, values })
    return result.rows as Row[]
  }

  #allFromSqlite(connection: Database, values: unknown[]) {
    let statement = this.#statements.get(connection)
    if (!statement) {
      statement = connection.prepare<[Record<string, unknown>], Row>(this.sql)
      this.#statements.set(connection, statement)
    }
    // In SQLite `$1` is a parameter named "1".
    return statement.all(Object.fromEntries(values.map((value, index) => [index + 1, value])))
  }
}
