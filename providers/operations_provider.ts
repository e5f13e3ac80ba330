import type { ApplicationService } from '@adonisjs/core/types'
import type { ProcessReporter } from '#app/operations/actions/process_reporter'

/** Reports the state of a serving process. */
export default class OperationsProvider {
  #reporter?: ProcessReporter

  constructor(protected app: ApplicationService) {}

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    if (this.app.isTerminating || this.app.isTerminated) return
    const { ProcessReporter: Reporter } = await import('#app/operations/actions/process_reporter')
    this.#reporter = new Reporter('service')
    this.#reporter.start()
  }

  async shutdown() {
    await this.#reporter?.stop()
  }
}
