import pg from 'pg'
import postgres from '#config/postgres'
import { noticeLostClient } from '#core/database/servers/notice_lost_client'
import { writableServer } from '#core/database/servers/writable_server'
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
  #reportLoss!: (error: Error) => void
  #client?: Promise<pg.Client>

  constructor() {
    this.lost = new Promise((_, reject) => (this.#reportLoss = reject))
    this.lost.catch(() => {})
  }

  async tryAcquire() {
    const client = await (this.#client ??= this.#connect())
    const { rows } = await client.query<{ acquired: boolean }>(
      'select pg_try_advisory_lock($1) as acquired',
      [KEY]
    )
    return rows[0].acquired
  }

  async release() {
    const client = await this.#client?.catch(() => undefined)
    client?.connection.stream.destroy()
  }

  async #connect() {
    const client = new pg.Client({
      connectionString: await writableServer(postgres.directUrl),
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      application_name: 'concierge_migration',
    })
    client.on('error', this.#reportLoss)
    await client.connect()
    await noticeLostClient(client)
    return client
  }
}
