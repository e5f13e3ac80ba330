import { once } from 'node:events'
import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** Works on broadcasts and retries in a process of its own, beside the service or in its place (platform.md#separate-queue-workers). */
export default class QueueWork extends BaseCommand {
  static override commandName = 'queue:work'
  static override description = 'Work on broadcasts and retries until told to stop'
  static override help = [
    'The service does this work itself unless QUEUE_IN_SERVICE=false. Any number of these processes may run, on any',
    'number of machines on PostgreSQL. SIGTERM and Ctrl-C finish what is under way; what a killed process had begun',
    'is taken over by another one when its lease has run out.',
    '',
    'Examples:',
    '  node ace queue:work',
    '  QUEUE_IN_SERVICE=false npm run serve & node ace queue:work & node ace queue:work',
    '',
    'Exit codes: 0 stopped, 1 could not start.',
  ]
  static override options: CommandOptions = { startApp: true, staysAlive: true }

  override async run() {
    const { OutboxWorker } = await import('#app/delivery/outbox/outbox_worker')
    const { workSources } = await import('#start/work_sources')
    const worker = new OutboxWorker(workSources)
    const stopping = new AbortController()
    const stopped = once(stopping.signal, 'abort').then(() => worker.stop())
    // Whoever runs under npm hears of it twice, and what is under way is finished all the same.
    process.on('SIGINT', () => {
      if (!stopping.signal.aborted) void this.terminate()
    })
    this.app.terminating(async () => {
      stopping.abort()
      await stopped
      await this.#close()
    })
    worker.start()
    this.logger.info('Working. Ctrl-C finishes what is under way and ends')
    await stopped
  }

  async #close() {
    const { finishPendingRounds } = await import('#app/delivery/actions/track_round')
    await finishPendingRounds()
    const { closeOutbound } = await import('#core/network/outbound')
    await closeOutbound()
    const { closeChannels } = await import('#app/delivery/channels')
    closeChannels()
  }
}
