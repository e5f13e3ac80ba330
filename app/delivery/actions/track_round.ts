import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'

const runningRounds = new Set<Promise<unknown>>()

/** Makes the shutdown wait for the work. Null if it failed; the send is retried after its claim. */
export function trackRound<T>(work: () => Promise<T>): Promise<T | null> {
  const round = work().catch((error: unknown) => {
    logger.error({ error: describeError(error) }, 'A delivery round of a durable send failed')
    return null
  })
  runningRounds.add(round)
  void round.finally(() => runningRounds.delete(round))
  return round
}

/** Waits for rounds that outlast their request. */
export async function finishPendingRounds() {
  await Promise.all(runningRounds)
}
