import { followBroadcast } from '#app/broadcasts/actions/follow_broadcast'
import { ProgressBar } from '#app/broadcasts/console/progress_bar'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** The exit code of a process that was ended by SIGINT. */
const INTERRUPTED = 130
const IDLE_MS = 10_000

interface Terminal {
  logger: { info(text: string): void; success(text: string): void; warning(text: string): void }
}

/** @returns the exit code: 0 completed, 2 paused or ended early, 130 interrupted */
export async function followInTerminal(
  { logger }: Terminal,
  id: number,
  interrupt = abortOnInterrupt()
): Promise<number> {
  const bar = new ProgressBar()
  let last: Broadcast | undefined
  let movedAt = performance.now()
  let hasWarned = false
  try {
    for await (const broadcast of followBroadcast(id, interrupt)) {
      bar.show(broadcast)
      if (broadcast.processed !== last?.processed) movedAt = performance.now()
      const isIdle = broadcast.status === 'running' && performance.now() - movedAt > IDLE_MS
      if (isIdle && !hasWarned) {
        logger.warning('No progress. Check that the service or queue:work is running.')
        hasWarned = true
      }
      last = broadcast
    }
  } finally {
    bar.stop()
  }
  return report({ logger }, last!, interrupt.aborted)
}

/** Aborts on Ctrl-C, which no longer ends the process. */
export function abortOnInterrupt(): AbortSignal {
  const interrupt = new AbortController()
  // Under npm, the signal arrives twice.
  process.on('SIGINT', () => interrupt.abort())
  return interrupt.signal
}

function report({ logger }: Terminal, broadcast: Broadcast, isInterrupted: boolean) {
  const { id, appCode, status, statusReason, sent, failed, skipped } = broadcast
  if (isInterrupted && !broadcast.hasEnded) {
    logger.info(`Broadcast ${id} continues in the background. To follow it again:`)
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

const followCommand = (appCode: string, id: number) =>
  `npm run ace -- broadcast:status ${appCode} ${id} --follow`
