import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ACCESS_CHANNEL, type AccessNotice } from '#core/database/access_transaction'
import { noticeLostClient } from '#core/database/servers/notice_lost_client'
import { writableServer } from '#core/database/servers/writable_server'
import { describeError } from '#core/exceptions/describe_error'

const RECONNECT_AFTER_MS = 500
const HEARTBEAT_MS = 10_000
const TIMEOUT_MS = 3_000

export interface AccessChangeListenerOptions {
  /** Of one server or several, without a pooler in between. */
  connectionString: string
  logger: Record<'warn' | 'error', (details: object, message: string) => void>
  /** A process, also this one, changed the access of these scopes. */
  onChange: (notice: AccessNotice) => void
  /** The connection was lost or restored, so changes may have been missed. */
  onGap: () => void
  /** There is a connection, perhaps to another server than before. */
  onConnect?: () => void
  heartbeatMs?: number
}

/**
 * Receives access changes of all processes through PostgreSQL, on its own connection that always
 * reconnects (platform.md#access-changes-between-processes).
 */
export class AccessChangeListener {
  readonly #options: AccessChangeListenerOptions
  readonly #stop = new AbortController()
  #running?: Promise<void>
  /** Starts as true, so that the first outage is logged. */
  #isConnected = true

  constructor(options: AccessChangeListenerOptions) {
    this.#options = options
  }

  start() {
    this.#running = this.#run()
  }

  async stop() {
    this.#stop.abort()
    await this.#running
  }

  async #run() {
    while (!this.#stop.signal.aborted) {
      await this.#listenUntilLost().catch((error) => this.#logOutage(error))
      this.#options.onGap()
      await this.#pause(RECONNECT_AFTER_MS)
    }
  }

  /** @throws Error if the connection fails or is lost */
  async #listenUntilLost() {
    const client = this.#newClient(await writableServer(this.#options.connectionString))
    // Closing the socket immediately keeps a hanging connection from delaying a retry or shutdown.
    const disconnect = () => client.connection.stream.destroy()
    this.#stop.signal.addEventListener('abort', disconnect)
    try {
      if (this.#stop.signal.aborted) return
      await client.connect()
      await noticeLostClient(client)
      await client.query(`listen ${ACCESS_CHANNEL}`)
      this.#isConnected = true
      this.#options.onGap()
      this.#options.onConnect?.()
      await this.#watch(client, disconnect)
    } finally {
      this.#stop.signal.removeEventListener('abort', disconnect)
      disconnect()
    }
  }

  #newClient(connectionString: string) {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      application_name: 'concierge_notifications',
    })
    // `end` follows each error. Without a listener, an error would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#handle(payload))
    return client
  }

  async #watch(client: pg.Client, disconnect: () => void) {
    const end = new AbortController()
    client.once('end', () => end.abort())
    this.#sendHeartbeats(client, end.signal).catch(disconnect)
    await new Promise((resolve) => client.once('end', resolve))
    throw new Error('The connection for access changes was lost')
  }

  /** Finds connections that a router has silently dropped. */
  async #sendHeartbeats(client: pg.Client, signal: AbortSignal) {
    for (;;) {
      await delay(this.#options.heartbeatMs ?? HEARTBEAT_MS, undefined, { signal, ref: false })
      await client.query('select 1')
    }
  }

  #pause(ms: number) {
    return delay(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
  }

  #logOutage(error: unknown) {
    if (this.#isConnected && !this.#stop.signal.aborted) {
      this.#options.logger.warn(
        { error: describeError(error) },
        'Lost the connection for access changes; reconnecting'
      )
    }
    this.#isConnected = false
  }

  #handle(payload: string | undefined) {
    try {
      this.#options.onChange(JSON.parse(payload ?? '') as AccessNotice)
    } catch (error) {
      this.#options.logger.error(
        { error: describeError(error) },
        'Could not read an access change; clearing the cache'
      )
      this.#options.onGap()
    }
  }
}
