import { once } from 'node:events'
import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** See platform.md#separate-queue-workers. */
export default class QueueWork extends BaseCommand {
  static override commandName = 'queue:work'
  static override description = 'Process broadcasts and retries until stopped'
  static override help = [
    'The service does this work itself unless QUEUE_IN_SERVICE=false. Any number of workers may run, with',
    'PostgreSQL on any number of machines. SIGTERM and Ctrl-C finish the work in progress first. Work of a',
    'killed process is taken over by another one when its lease expires.',
    '',
    'Examples:',
    '  node ace queue:work',
    '  QUEUE_IN_SERVICE=false npm run serve & node ace queue:work & node ace queue:work',
    '',
    'Exit codes: 0 stopped; 1 could not start.',
  ]
  static override options: CommandOptions = { startApp: true, staysAlive: true }

  override async run() {
    const { BackgroundWorker } = await import('#core/background/background_worker')
    await import('#start/background')
    const { workSources } = await import('#core/background/work_sources')
    const worker = new BackgroundWorker(workSources)
    const { ProcessReporter } = await import('#app/operations/actions/process_reporter')
    const reporter = new ProcessReporter('queue')
    const stopping = new AbortController()
    const stopped = once(stopping.signal, 'abort').then(() => worker.stop())
    // Under npm, the signal arrives twice.
    process.on('SIGINT', () => {
      if (!stopping.signal.aborted) void this.terminate()
    })
    this.app.terminating(async () => {
      stopping.abort()
      await stopped
      await reporter.stop()
      await this.#close()
    })
    worker.start()
    reporter.start()
    this.logger.info('Worker started. Press Ctrl-C to finish the work in progress and stop.')
    await stopped
  }

  async #close() {
    const { finishPendingRounds } = await import('#app/delivery/actions/track_round')
    const { finishAttempts } = await import('#app/webhooks/background/running_attempts')
    await Promise.all([finishPendingRounds(), finishAttempts()])
    const { closeOutbound } = await import('#core/network/outbound')
    await closeOutbound()
    const { closeChannels } = await import('#app/delivery/channels')
    closeChannels()
  }
}
