import db from '@adonisjs/lucid/services/db'
import pg from 'pg'
import type { ProcessLock } from '#core/database/locks/process_lock'

/** The key that Lucid uses, so that its commands and earlier versions respect the lock. */
const KEY = 1
const TIMEOUT_MS = 5_000

/**
 * An advisory lock in a session of its own, because a pool does not say which connection holds it.
 * It ends with the process, or within half a minute if the machine disappears.
 */
export class PostgresLock implements ProcessLock {
  readonly lost: Promise<never>
  readonly #client: pg.Client
  #connected?: Promise<unknown>

  constructor() {
    this.#client = new pg.Client({
      connectionString: connectionString(),
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      application_name: 'concierge_migration',
    })
    this.lost = new Promise((_, reject) => this.#client.on('error', reject))
    this.lost.catch(() => {})
  }

  async tryAcquire() {
    this.#connected ??= this.#connect()
    await this.#connected
    const { rows } = await this.#client.query<{ acquired: boolean }>(
      'select pg_try_advisory_lock($1) as acquired',
      [KEY]
    )
    return rows[0].acquired
  }

  async release() {
    this.#client.connection.stream.destroy()
  }

  async #connect() {
    await this.#client.connect()
    await this.#client.query(
      'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
    )
  }
}

function connectionString() {
  const config = db.getRawConnection(db.primaryConnectionName)?.config
  return (config?.connection as { connectionString: string }).connectionString
}
