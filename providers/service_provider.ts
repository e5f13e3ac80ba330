import type { Server } from 'node:http'
import { once } from 'node:events'
import type { ApplicationService } from '@adonisjs/core/types'
import type { BackgroundWorker } from '#core/background/background_worker'

/** After SIGTERM: how long requests may take, and how long everything may take. */
const DRAIN_TIMEOUT_MS = 8_000
const SHUTDOWN_TIMEOUT_MS = 8_500

/** The lifecycle of a serving process. */
export default class ServiceProvider {
  #internalServer?: Server
  #worker?: BackgroundWorker
  /** Must settle before the database is closed. */
  #closing: (Promise<unknown> | undefined)[] = []

  constructor(protected app: ApplicationService) {}

  /** Before anything connects to the database. */
  async boot() {
    const { shareConnections } = await import('#core/database/share_connections')
    const emitter = await this.app.container.make('emitter')
    emitter.on('db:connection:connect', shareConnections)
  }

  async start() {
    // Code generation boots the application as well.
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { prepareDatabase } = await import('#database/prepare_database')
    await prepareDatabase().catch((error) => {
      // The database connection may already be closed.
      if (this.#isStopping) process.exit(0)
      throw error
    })
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web') return
    // Nothing may start after this point, because nothing would stop it.
    if (this.#isStopping) return void setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS).unref()
    // Hooks run in reverse order, and this one must run before the server waits for open requests.
    this.app.terminating(() => this.#beginShutdown())
    await this.#startInternalServer()
    if (this.app.getMode() === 'run') await this.#startWorker()
  }

  async shutdown() {
    await Promise.all(this.#closing)
    const { finishPendingDeliveries } =
      await import('#app/identity_provider/mail_hook/deliver_provider_mail')
    const { finishPendingRounds } = await import('#app/delivery/actions/track_round')
    const { finishAttempts } = await import('#app/webhooks/background/running_attempts')
    await Promise.all([finishPendingDeliveries(), finishPendingRounds(), finishAttempts()])
    const { closeOutbound } = await import('#core/network/outbound')
    await closeOutbound()
    const { closeChannels } = await import('#app/delivery/channels')
    closeChannels()
    const { preparation } = await import('#app/notifications/preparation/preparation')
    await preparation.stop()
    const { stopTracing } = await import('#core/process/tracing')
    await stopTracing()
  }

  get #isStopping() {
    return this.app.isTerminating || this.app.isTerminated
  }

  async #startInternalServer() {
    const { default: authConfig } = await import('#config/auth')
    const { port, host } = authConfig.internalListener
    if (port === undefined) return
    const server = await this.app.container.make('server')
    const { createHttpServer } = await import('#core/http/http_server')
    if (this.#isStopping) return
    this.#internalServer = createHttpServer(server.handle.bind(server)).listen(port, host)
    await once(this.#internalServer, 'listening')
  }

  async #startWorker() {
    const { default: env } = await import('#start/env')
    if (env.get('QUEUE_IN_SERVICE') === false) return
    const { BackgroundWorker } = await import('#core/background/background_worker')
    const { workSources } = await import('#core/background/work_sources')
    if (this.#isStopping) return
    this.#worker = new BackgroundWorker(workSources)
    this.#worker.start()
  }

  async #beginShutdown() {
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    setTimeout(() => this.#closeConnections(), DRAIN_TIMEOUT_MS).unref()
    const { Connection } = await import('#core/http/connection')
    const { closeProgressStreams } = await import('#app/broadcasts/stream/progress_stream')
    const { changeFeed } = await import('#app/change_feed/stream/change_feed')
    const { inboxStreams } = await import('#app/inbox/stream/inbox_streams')
    Connection.drainAll()
    closeProgressStreams()
    changeFeed.close()
    inboxStreams.close()
    this.#closing = [this.#worker?.stop(), this.#closeInternalServer()]
  }

  async #closeConnections() {
    const server = await this.app.container.make('server')
    server.getNodeServer()?.closeAllConnections()
    this.#internalServer?.closeAllConnections()
  }

  async #closeInternalServer() {
    const server = this.#internalServer
    if (server) await new Promise((resolve) => server.close(resolve))
  }
}
