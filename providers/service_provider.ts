import type { Server } from 'node:http'
import { once } from 'node:events'
import type { ApplicationService } from '@adonisjs/core/types'
import type { OutboxWorker } from '#app/delivery/outbox/outbox_worker'

/**
 * How long requests in flight may take after SIGTERM, and all of the end but for the log's last
 * lines.
 */
const DRAIN_MS = 8_000
const END_MS = 8_500

/**
 * Life of the serving process: migrations and seeds before the first request, the internal listener
 * beside the public one, work in the background, and an end that no hanging request can put off.
 */
export default class ServiceProvider {
  #internalServer?: Server
  #worker?: OutboxWorker
  /** What has to be over before the database is closed. */
  #ending: (Promise<unknown> | undefined)[] = []

  constructor(protected app: ApplicationService) {}

  async start() {
    // Code generation boots the application, too, only to look at it.
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { prepareDatabase } = await import('#start/prepare_database')
    await prepareDatabase().catch((error) => {
      // The process was told to stop in the meantime and may have no database connection any more.
      if (this.#isEnding) process.exit(0)
      throw error
    })
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web') return
    // Whoever was told to end while still starting must not begin anything that nobody would stop.
    if (this.#isEnding) return void setTimeout(() => process.exit(0), END_MS).unref()
    // At once, because hooks run in reverse: this one has to come before the server waits for
    // requests in flight.
    this.app.terminating(() => this.#beginToEnd())
    await this.#listenInternally()
    if (this.app.getMode() === 'run') await this.#workInBackground()
  }

  async shutdown() {
    await Promise.all(this.#ending)
    const { finishPendingDeliveries: finishRounds } =
      await import('#app/identity_provider/mail_hook/deliver_provider_mail')
    const { finishPendingRounds } = await import('#app/delivery/actions/track_round')
    await Promise.all([finishRounds(), finishPendingRounds()])
    const { closeOutbound } = await import('#core/network/outbound')
    await closeOutbound()
    const { closeChannels } = await import('#app/delivery/channels')
    closeChannels()
    const { preparation } = await import('#app/notifications/preparation/preparation')
    await preparation.stop()
    const { stopTracing } = await import('#start/tracing')
    await stopTracing()
  }

  get #isEnding() {
    return this.app.isTerminating || this.app.isTerminated
  }

  async #listenInternally() {
    const { default: authConfig } = await import('#config/auth')
    const { port, host } = authConfig.internalListener
    if (port === undefined) return
    const server = await this.app.container.make('server')
    const { createHttpServer } = await import('#core/http/http_server')
    if (this.#isEnding) return
    this.#internalServer = createHttpServer(server.handle.bind(server)).listen(port, host)
    await once(this.#internalServer, 'listening')
  }

  /** Unless separate workers (`queue:work`) do all of it. */
  async #workInBackground() {
    const { default: env } = await import('#start/env')
    if (env.get('QUEUE_IN_SERVICE') === false) return
    const { OutboxWorker } = await import('#app/delivery/outbox/outbox_worker')
    const { workSources } = await import('#start/work_sources')
    if (this.#isEnding) return
    this.#worker = new OutboxWorker(workSources)
    this.#worker.start()
  }

  /** Takes nothing new; what is in flight has its time, but not more. */
  async #beginToEnd() {
    setTimeout(() => process.exit(1), END_MS).unref()
    setTimeout(() => this.#closeConnections(), DRAIN_MS).unref()
    const { Connection } = await import('#core/http/connection')
    const { closeStreams } = await import('#app/broadcasts/stream/progress_stream')
    Connection.endAll()
    closeStreams()
    this.#ending = [this.#worker?.stop(), this.#closeInternally()]
  }

  async #closeConnections() {
    const server = await this.app.container.make('server')
    server.getNodeServer()?.closeAllConnections()
    this.#internalServer?.closeAllConnections()
  }

  async #closeInternally() {
    const server = this.#internalServer
    if (server) await new Promise((resolve) => server.close(resolve))
  }
}
