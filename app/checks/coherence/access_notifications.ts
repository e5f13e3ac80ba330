import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '@adonisjs/core/logger'
import { ACCESS_CHANNEL, PROCESS_ID } from '#core/database/changing_access'
import type { AccessScope } from '#core/events/access_changed'
import { describeError } from '#core/exceptions/describe_error'

const RECONNECT_AFTER_MS = 500

export interface AccessNotificationsOptions {
  connectionString: string
  logger: Logger
  /** Another process changed this. */
  onChange: (scopes: AccessScope[]) => void
  /** The connection was lost or has just come up: changes may have been missed. */
  onGap: () => void
}

/**
 * Hears through PostgreSQL what other processes changed (decisions 3.10), on a connection of its own that reconnects
 * for ever. While it is down the cache's age limit is the bound.
 */
export class AccessNotifications {
  readonly #options: AccessNotificationsOptions
  readonly #stop = new AbortController()
  #client?: pg.Client
  #running?: Promise<void>

  constructor(options: AccessNotificationsOptions) {
    this.#options = options
  }

  start() {
    this.#running = this.#run()
  }

  async stop() {
    this.#stop.abort()
    await this.#client?.end().catch(() => {})
    await this.#running
  }

  async #run() {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#listenUntilLost()
      } catch (error) {
        this.#options.logger.warn({ error: describeError(error) }, 'Access notifications are down')
      }
      this.#options.onGap()
      await delay(RECONNECT_AFTER_MS, undefined, { signal: this.#stop.signal }).catch(() => {})
    }
  }

  async #listenUntilLost() {
    const client = new pg.Client({
      connectionString: this.#options.connectionString,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      application_name: 'concierge_notifications',
    })
    const lost = new Promise<void>((resolve, reject) => {
      client.once('end', resolve)
      client.once('error', reject)
    })
    // Without a listener of its own a rejection before the await below would end the process.
    lost.catch(() => {})
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#heard(payload))
    this.#client = client
    await client.connect()
    await client.query(`listen ${ACCESS_CHANNEL}`)
    this.#options.onGap()
    await lost
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
