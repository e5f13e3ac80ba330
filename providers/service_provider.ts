import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { ApplicationService } from '@adonisjs/core/types'

/** How long requests in flight may take after SIGTERM (decisions 8.1). */
const DRAIN_MS = 10_000

/**
 * Life of the serving process: migrations and seeds before the first request, the internal listener beside the public one, and an end
 * that no hanging request can put off.
 */
export default class ServiceProvider {
  #internalServer?: Server

  constructor(protected app: ApplicationService) {}

  async start() {
    // Code generation boots the application, too, only to look at it.
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { default: env } = await import('#start/env')
    if (env.get('MIGRATE_ON_START') !== false) {
      const { migrate } = await import('#core/database/migrate')
      await migrate()
    }
    const { seed } = await import('#start/seed')
    await seed()
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web') return
    await this.#listenInternally()
    this.app.terminating(() => this.#limitShutdown())
  }

  async shutdown() {
    this.#internalServer?.close()
    const { closeOutbound } = await import('#core/network/outbound')
    await closeOutbound()
    const { closeChannels } = await import('#app/delivery/channels')
    closeChannels()
  }

  async #listenInternally() {
    const { default: authConfig } = await import('#config/auth')
    const { port, host } = authConfig.internalListener
    if (port === undefined) return
    const server = await this.app.container.make('server')
    this.#internalServer = createServer(server.handle.bind(server)).listen(port, host)
    await once(this.#internalServer, 'listening')
  }

  async #limitShutdown() {
    const server = await this.app.container.make('server')
    setTimeout(() => {
      server.getNodeServer()?.closeAllConnections()
      this.#internalServer?.closeAllConnections()
    }, DRAIN_MS).unref()
    setTimeout(() => process.exit(1), DRAIN_MS + 1_000).unref()
  }
}
