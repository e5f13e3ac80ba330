import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { ApplicationService } from '@adonisjs/core/types'
import type { OutboxWorker } from '#app/delivery/outbox/outbox_worker'

/** How long requests in flight may take after SIGTERM (decisions 8.1). */
const DRAIN_MS = 10_000

/**
 * Life of the serving process: migrations and seeds before the first request, the internal listener beside the public one, work in the
 * background, and an end that no hanging request can put off.
 */
export default class ServiceProvider {
  #internalServer?: Server
  #worker?: OutboxWorker

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
    if (this.app.getMode() === 'run') await this.#workInBackground()
    this.app.terminating(() => this.#limitShutdown())
  }

  async shutdown() {
    this.#internalServer?.close()
    await this.#worker?.stop()
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

  /** Unless separate workers (`queue:work`) do all of it. */
  async #workInBackground() {
    const { default: env } = await import('#start/env')
    if (env.get('QUEUE_IN_SERVICE') === false) return
    const { OutboxWorker } = await import('#app/delivery/outbox/outbox_worker')
    const { workSources } = await import('#start/work_sources')
    this.#worker = new OutboxWorker(workSources)
    this.#worker.start()
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
