import type { ApplicationService } from '@adonisjs/core/types'
import type { AccessScope } from '#core/events/access_changed'
import type { AccessNotifications } from '#app/checks/coherence/access_notifications'

/**
 * Keeps what this process remembers of decisions and accounts in step with the others.
 */
export default class ChecksProvider {
  #notifications?: AccessNotifications

  constructor(protected app: ApplicationService) {}

  /** Before the first request: nothing may be remembered by a process that does not hear of changes yet. */
  async start() {
    const environment = this.app.getEnvironment()
    if (this.app.getMode() !== 'run' || (environment !== 'web' && environment !== 'test')) return
    const { decisions } = await import('#app/checks/decisions')
    const { admissions } = await import('#app/profiles/actions/admit_account')
    const { workerProcesses: siblings } = await import('#app/checks/coherence/worker_processes')
    const onChange = (scopes: AccessScope[]) => {
      decisions.invalidate(scopes)
      admissions.invalidate(scopes)
    }
    siblings.listen(onChange)
    await this.#listenToPostgres(onChange)
  }

  async shutdown() {
    await this.#notifications?.stop()
  }

  /** Whatever was remembered before the connection is up is dropped when it comes up. */
  async #listenToPostgres(onChange: (scopes: AccessScope[]) => void) {
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
