import { followBroadcast } from '#app/broadcasts/actions/follow_broadcast'
import { ProgressBar } from '#app/broadcasts/console/progress_bar'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** Ended by Ctrl-C, as shells know it. */
const INTERRUPTED = 130
/** After so long without a step somebody should look for a worker. */
const IDLE_MS = 10_000

interface Terminal {
  logger: { info(text: string): void; success(text: string): void; warning(text: string): void }
}

/**
 * Shows the progress of a broadcast until it ends, is paused, or somebody presses Ctrl-C, which leaves it running.
 *
 * @returns the exit code: 0 when it reached everybody or was left running in peace, 2 when it ended otherwise
 */
export async function followInTerminal(
  { logger }: Terminal,
  id: number,
  leaving = ctrlC()
): Promise<number> {
  const bar = new ProgressBar()
  let last: Broadcast | undefined
  let movedAt = performance.now()
  let hasWarned = false
  try {
    for await (const broadcast of followBroadcast(id, leaving)) {
      bar.show(broadcast)
      if (broadcast.processed !== last?.processed) movedAt = performance.now()
      const isIdle = broadcast.status === 'running' && performance.now() - movedAt > IDLE_MS
      if (isIdle && !hasWarned) {
        logger.warning('Nothing moves: is the service or queue:work running?')
        hasWarned = true
      }
      last = broadcast
    }
  } finally {
    bar.stop()
  }
  return conclude({ logger }, last!, leaving.aborted)
}

/** Aborted by Ctrl-C, which does not end the process from now on. */
export function ctrlC(): AbortSignal {
  const leaving = new AbortController()
  // Whoever runs under npm hears of it twice.
  process.on('SIGINT', () => leaving.abort())
  return leaving.signal
}

function conclude({ logger }: Terminal, broadcast: Broadcast, wasLeft: boolean) {
  const { id, appCode, status, statusReason, sent, failed, skipped } = broadcast
  if (wasLeft && !broadcast.hasEnded) {
    logger.info(`Broadcast ${id} goes on in the background. To follow it again:`)
    logger.info(`  ${followCommand(appCode, id)}`)
    return INTERRUPTED
  }
  const text = `Broadcast ${id} is ${status}: ${sent} sent, ${failed} failed, ${skipped} skipped`
  if (status === 'completed') {
    logger.success(text)
    return 0
  }
  logger.warning(statusReason === null ? text : `${text} (${statusReason})`)
  return 2
}

export const followCommand = (appCode: string, id: number) =>
  `npm run ace -- broadcast:status ${appCode} ${id} --follow`
