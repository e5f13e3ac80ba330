import type { ApplicationService } from '@adonisjs/core/types'
import type { AccessScope } from '#core/events/access_changed'
import type { AccessNotifications } from '#app/checks/coherence/access_notifications'

/** Keeps cached decisions and accounts coherent with other processes. */
export default class ChecksProvider {
  #notifications?: AccessNotifications

  constructor(protected app: ApplicationService) {}

  /** Runs before the first request: nothing may be cached before changes are received. */
  async start() {
    const environment = this.app.getEnvironment()
    if (this.app.getMode() !== 'run' || (environment !== 'web' && environment !== 'test')) return
    const { decisions } = await import('#app/checks/decisions')
    const { admissions } = await import('#app/profiles/actions/admit_account')
    const { workerProcesses } = await import('#app/checks/coherence/worker_processes')
    const onChange = (scopes: AccessScope[]) => {
      decisions.invalidate(scopes)
      admissions.invalidate(scopes)
    }
    workerProcesses.listen(onChange)
    await this.#listenOnPostgres(onChange)
  }

  async shutdown() {
    await this.#notifications?.stop()
  }

  async #listenOnPostgres(onChange: (scopes: AccessScope[]) => void) {
    const { default: env } = await import('#start/env')
    if (env.get('DB_CONNECTION') !== 'pg') return
    const notifications = await import('#app/checks/coherence/access_notifications')
    this.#notifications = new notifications.AccessNotifications({
      connectionString: env.get('DATABASE_URL')!,
      logger: await this.app.container.make('logger').then((manager) => manager.use()),
      onChange,
      onGap: () => onChange([{}]),
    })
    this.#notifications.start()
  }
}
