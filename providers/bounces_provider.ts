import type { ApplicationService } from '@adonisjs/core/types'
import type { ReportServer } from '#app/bounces/smtp/report_server'

/** Takes reports about mails by SMTP in a serving process, if a port is configured. */
export default class BouncesProvider {
  #server?: ReportServer

  constructor(protected app: ApplicationService) {}

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { default: bouncesConfig } = await import('#config/bounces')
    if (bouncesConfig.listener === null) return
    const { ReportServer: Server } = await import('#app/bounces/smtp/report_server')
    if (this.app.isTerminating || this.app.isTerminated) return
    this.#server = new Server()
    const { port, host } = bouncesConfig.listener
    await this.#server.listen(port, host)
    const logger = await this.app.container.make('logger')
    logger.info({ port }, 'Listening for reports about mails')
  }

  async shutdown() {
    await this.#server?.close()
  }
}
