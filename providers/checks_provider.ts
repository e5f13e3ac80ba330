import type { ApplicationService } from '@adonisjs/core/types'
import type { FollowedChanges } from '#app/checks/invalidation/followed_changes'
import type { AccessChangeListener } from '#app/checks/invalidation/access_change_listener'

/** Keeps cached decisions and accounts coherent with other processes. */
export default class ChecksProvider {
  readonly #stop = new AbortController()
  #notifications?: AccessChangeListener
  #isReady = false

  constructor(protected app: ApplicationService) {}

  /** Runs before the first request: nothing may be cached before changes are received. */
  async start() {
    const environment = this.app.getEnvironment()
    if (this.app.getMode() !== 'run' || (environment !== 'web' && environment !== 'test')) return
    const { followedChanges } = await import('#app/checks/invalidation/followed_changes')
    const { workerChannel } = await import('#app/checks/invalidation/worker_channel')
    workerChannel.listen((notice) => followedChanges.apply(notice))
    await this.#listenOnPostgres(followedChanges)
    void followedChanges.poll(this.#stop.signal)
  }

  ready() {
    this.#isReady = true
    void this.#noticeFailover()
  }

  async shutdown() {
    this.#stop.abort()
    await this.#notifications?.stop()
    const { decisionLog } = await import('#app/checks/decision_log')
    if (decisionLog.isOn) await decisionLog.end()
  }

  async #listenOnPostgres(changes: FollowedChanges) {
    const { default: env } = await import('#start/env')
    if (env.get('DB_CONNECTION') !== 'pg') return
    const { default: postgres } = await import('#config/postgres')
    const notifications = await import('#app/checks/invalidation/access_change_listener')
    this.#notifications = new notifications.AccessChangeListener({
      connectionString: postgres.directUrl,
      logger: await this.app.container.make('logger').then((manager) => manager.use()),
      onChange: (notice) => changes.apply(notice),
      onGap: () => changes.applyAll(),
      onConnect: () => void this.#noticeFailover(),
    })
    this.#notifications.start()
  }

  /** Not before the tables are there. */
  async #noticeFailover() {
    if (!this.#isReady || !this.#notifications) return
    const { clearAfterFailover } = await import('#app/checks/actions/clear_after_failover')
    await clearAfterFailover()
  }
}
