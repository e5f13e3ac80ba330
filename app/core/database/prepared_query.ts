import type { Database, Statement } from 'better-sqlite3'
import type { Client } from 'pg'
import db from '@adonisjs/lucid/services/db'
import postgres from '#config/postgres'
import { isDatabaseUnavailable } from '#core/database/errors'
import { acceptedRevision, replica } from '#core/database/servers/replica'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const MAX_NAME_LENGTH = 63

type Connection = Database | Client
type SqliteStatement<Row> = Statement<[Record<string, unknown>], Row>

export type RunQuery = <Row>(query: PreparedQuery<Row>, values: unknown[]) => Promise<Row[]>

/** A statement with `$1`, `$2`, … for hot paths, where the query builder is too slow. */
export class PreparedQuery<Row> {
  /** PostgreSQL keeps those of its connections itself. */
  readonly #statements = new WeakMap<Database, SqliteStatement<Row>>()

  constructor(
    /** PostgreSQL caches the plan under this name. */
    readonly name: string,
    readonly sql: string
  ) {
    // PostgreSQL would cut it, and could mistake one statement for another.
    if (name.length > MAX_NAME_LENGTH) throw new Error(`The name ${name} is too long`)
  }

  /** @param trx a transaction of the framework of which the query is a part */
  async all(values: unknown[], trx?: TransactionClientContract): Promise<Row[]> {
    if (trx) return this.within(trx, values)
    const revision = acceptedRevision()
    if (revision === undefined) return this.#allFromPrimary(values)
    const found = await this.allFromReplica(revision, values)
    if (found !== null) return found
    try {
      return await this.#allFromPrimary(values)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      const late = await replica.onceReplayed(() => this.allFromReplica(revision, values))
      if (late === null) throw error
      return late
    }
  }

  /** @returns null if there is no replica that reflects `revision` */
  allFromReplica(revision: number, values: unknown[]): Promise<Row[] | null> {
    return replica.read(revision, (connection) => this.#allOn(connection, values))
  }

  /** Runs as a part of a transaction that the framework began. */
  async within(trx: TransactionClientContract, values: unknown[]): Promise<Row[]> {
    const connection = (await trx.knexClient.client.acquireConnection()) as Connection
    return this.#allOn(connection, values)
  }

  /** Runs queries in one transaction, whose connection only `run` may use. */
  static inTransaction<T>(work: (run: RunQuery) => Promise<T>): Promise<T> {
    return withConnection(async (connection) => {
      const isPostgres = isPostgresConnection(connection)
      const execute = async (sql: string) =>
        isPostgres ? void (await connection.query(sql)) : void connection.exec(sql)
      await execute(isPostgres ? 'begin' : 'begin immediate')
      try {
        const result = await work((query, values) => query.#allOn(connection, values))
        await execute('commit')
        return result
      } catch (error) {
        await execute('rollback').catch(() => {})
        throw error
      }
    })
  }

  #allFromPrimary(values: unknown[]): Promise<Row[]> {
    return withConnection((connection) => this.#allOn(connection, values))
  }

  async #allOn(connection: Connection, values: unknown[]): Promise<Row[]> {
    if (!isPostgresConnection(connection)) return this.#allFromSqlite(connection, values)
    const name = postgres.namesStatements ? this.name : undefined
    const result = await connection.query({ name, text: this.sql, values })
    return result.rows as Row[]
  }

  #allFromSqlite(connection: Database, values: unknown[]) {
    const statement = this.#preparedOn(connection)
    // SQLite reads `$1` as a parameter named "1".
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
    if (statement.reader) return statement.all(named)
    statement.run(named)
    return []
  }

  #preparedOn(connection: Database): SqliteStatement<Row> {
    const known = this.#statements.get(connection)
    const statement = known ?? connection.prepare(this.sql)
    if (!known) this.#statements.set(connection, statement)
    return statement
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
