import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ACCESS_CHANNEL, PROCESS_ID } from '#core/database/access_transaction'
import type { AccessScope } from '#core/events/access_changed'
import { describeError } from '#core/exceptions/describe_error'

const RECONNECT_AFTER_MS = 500
const HEARTBEAT_MS = 10_000
const ANSWER_WITHIN_MS = 3_000

export interface AccessNotificationsOptions {
  connectionString: string
  logger: Record<'warn' | 'error', (details: object, message: string) => void>
  /** Another process changed this. */
  onChange: (scopes: AccessScope[]) => void
  /** The connection was lost or has just come up: changes may have been missed. */
  onGap: () => void
  /** How often to ask whether the connection still lives. */
  heartbeatMs?: number
}

/**
 * Hears through PostgreSQL what other processes changed (platform.md#access-changes-between-processes), on a connection of its own that reconnects
 * for ever. While it is down the cache's age limit is the bound.
 */
export class AccessNotifications {
  readonly #options: AccessNotificationsOptions
  readonly #stop = new AbortController()
  #running?: Promise<void>
  /** So that an outage is reported once. */
  #isUp = true

  constructor(options: AccessNotificationsOptions) {
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
      await this.#listenUntilLost().catch((error) => this.#noteOutage(error))
      this.#options.onGap()
      await this.#pause(RECONNECT_AFTER_MS)
    }
  }

  /** @throws Error when the connection cannot be had or has gone */
  async #listenUntilLost() {
    const client = this.#newClient()
    // A connection that hangs would keep both the next attempt and the end of the process waiting.
    const hangUp = () => client.connection.stream.destroy()
    this.#stop.signal.addEventListener('abort', hangUp)
    try {
      await client.connect()
      await client.query(`listen ${ACCESS_CHANNEL}`)
      this.#isUp = true
      this.#options.onGap()
      await this.#watch(client, hangUp)
    } finally {
      this.#stop.signal.removeEventListener('abort', hangUp)
      hangUp()
    }
  }

  #newClient() {
    const client = new pg.Client({
      connectionString: this.#options.connectionString,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      application_name: 'concierge_notifications',
    })
    // The end that follows an error is what counts; without a listener it would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#heard(payload))
    return client
  }

  async #watch(client: pg.Client, hangUp: () => void) {
    const end = new AbortController()
    client.once('end', () => end.abort())
    this.#keepAsking(client, end.signal).catch(hangUp)
    await new Promise((resolve) => client.once('end', resolve))
    throw new Error('The notification connection was lost')
  }

  /** Routers drop idle connections without a word, which only a question brings to light. */
  async #keepAsking(client: pg.Client, signal: AbortSignal) {
    for (;;) {
      await delay(this.#options.heartbeatMs ?? HEARTBEAT_MS, undefined, { signal, ref: false })
      await client.query('select 1')
    }
  }

  #pause(ms: number) {
    return delay(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
  }

  #noteOutage(error: unknown) {
    if (this.#isUp && !this.#stop.signal.aborted) {
      this.#options.logger.warn({ error: describeError(error) }, 'Access notifications are down')
    }
    this.#isUp = false
  }

  #heard(payload: string | undefined) {
    try {
      const { from, scopes } = JSON.parse(payload ?? '') as { from: string; scopes: AccessScope[] }
      if (from !== PROCESS_ID) this.#options.onChange(scopes)
    } catch (error) {
      this.#options.logger.error({ error: describeError(error) }, 'Unreadable access notification')
      this.#options.onGap()
    }
  }
}
