import type { ApplicationService } from '@adonisjs/core/types'
import type { AccessScope } from '#core/events/access_changed'
import type { AccessChangeListener } from '#app/checks/invalidation/access_change_listener'

/** Keeps cached decisions and accounts coherent with other processes. */
export default class ChecksProvider {
  #notifications?: AccessChangeListener

  constructor(protected app: ApplicationService) {}

  /** Runs before the first request: nothing may be cached before changes are received. */
  async start() {
    const environment = this.app.getEnvironment()
    if (this.app.getMode() !== 'run' || (environment !== 'web' && environment !== 'test')) return
    const { accessCaches } = await import('#app/checks/invalidation/access_caches')
    const { workerChannel } = await import('#app/checks/invalidation/worker_channel')
    const onChange = (scopes: AccessScope[]) => accessCaches.invalidate(scopes)
    workerChannel.listen(onChange)
    await this.#listenOnPostgres(onChange)
  }

  async shutdown() {
    await this.#notifications?.stop()
    const { decisionLog } = await import('#app/checks/decision_log')
    if (decisionLog.isOn) await decisionLog.end()
  }

  async #listenOnPostgres(onChange: (scopes: AccessScope[]) => void) {
    const { default: env } = await import('#start/env')
    if (env.get('DB_CONNECTION') !== 'pg') return
    const notifications = await import('#app/checks/invalidation/access_change_listener')
    this.#notifications = new notifications.AccessChangeListener({
      connectionString: env.get('DATABASE_URL')!,
      logger: await this.app.container.make('logger').then((manager) => manager.use()),
      onChange,
      onGap: () => onChange([{}]),
    })
    this.#notifications.start()
  }
}
