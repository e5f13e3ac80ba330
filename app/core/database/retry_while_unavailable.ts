import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#core/database/errors'
import { Deadline } from '#core/values/deadline'

/** How long a restart or failover of the database usually takes. */
const USUAL_OUTAGE_MS = 3_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 1_600]

/** Retries a write while the database is unavailable, up to the deadline. */
export async function retryWhileUnavailable<T>(
  write: () => Promise<T>,
  deadline = new Deadline(USUAL_OUTAGE_MS)
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deadline.hasPassed) throw error
      await pause(pauseMs)
    }
  }
}
