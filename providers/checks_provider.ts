import type { ApplicationService } from '@adonisjs/core/types'
import type { AccessNotifications } from '#app/checks/coherence/access_notifications'

/**
 * Keeps this process's decision cache in step with the others (decisions 3.10).
 */
export default class ChecksProvider {
  #notifications?: AccessNotifications

  constructor(protected app: ApplicationService) {}

  /** Before the first request: nothing may be remembered by a process that does not hear of changes yet. */
  async start() {
    const environment = this.app.getEnvironment()
    if (this.app.getMode() !== 'run' || (environment !== 'web' && environment !== 'test')) return
    const { decisions } = await import('#app/checks/decisions')
    const { siblings } = await import('#app/checks/coherence/siblings')
    siblings.listen((scopes) => decisions.invalidate(scopes))
    await this.#listenToPostgres()
  }

  async shutdown() {
    await this.#notifications?.stop()
  }

  /** Whatever was remembered before the connection is up is dropped when it comes up. */
  async #listenToPostgres() {
    const { default: env } = await import('#start/env')
    if (env.get('DB_CONNECTION') !== 'pg') return
    const { AccessNotifications } = await import('#app/checks/coherence/access_notifications')
    const { decisions } = await import('#app/checks/decisions')
    this.#notifications = new AccessNotifications({
      connectionString: env.get('DATABASE_URL')!,
      logger: await this.app.container.make('logger').then((manager) => manager.use()),
      onChange: (scopes) => decisions.invalidate(scopes),
      onGap: () => decisions.clear(),
    })
    this.#notifications.start()
  }
}
