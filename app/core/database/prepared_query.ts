import type { Database, Statement } from 'better-sqlite3'
import type { Client } from 'pg'
import db from '@adonisjs/lucid/services/db'

/** A connection as its driver offers it. */
type Connection = Database | Client

/** Runs a prepared query where the caller says: on any connection, or inside a transaction. */
export type RunQuery = <Row>(query: PreparedQuery<Row>, values: unknown[]) => Promise<Row[]>

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

  all(values: unknown[]): Promise<Row[]> {
    return withConnection((connection) => this.#allOn(connection, values))
  }

  /**
   * Runs queries in one transaction, on SQLite as a writer from the beginning. It is rolled back when `work` throws.
   *
   * @param work Does nothing but run queries, through `run`: the transaction keeps its connection
   */
  static together<T>(work: (run: RunQuery) => Promise<T>): Promise<T> {
    return withConnection(async (connection) => {
      const isPostgres = isPostgresConnection(connection)
      const tell = async (sql: string) =>
        isPostgres ? void (await connection.query(sql)) : void connection.exec(sql)
      await tell(isPostgres ? 'begin' : 'begin immediate')
      try {
        const result = await work((query, values) => query.#allOn(connection, values))
        await tell('commit')
        return result
      } catch (error) {
        await tell('rollback').catch(() => {})
        throw error
      }
    })
  }

  async #allOn(connection: Connection, values: unknown[]): Promise<Row[]> {
    if (!isPostgresConnection(connection)) return this.#allFromSqlite(connection, values)
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
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
    if (statement.reader) return statement.all(named)
    statement.run(named)
    return []
  }
}

async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const { client } = db.connection().getReadClient()
  const connection = await client.acquireConnection()
  try {
    return await work(connection)
  } finally {
    client.releaseConnection(connection)
  }
}

const isPostgresConnection = (connection: Connection): connection is Client =>
  !('pragma' in connection)
