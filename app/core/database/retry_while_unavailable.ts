import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#core/database/errors'
import { backOffMs } from '#core/values/back_off'
import { Deadline } from '#core/values/deadline'

/** How long a restart or failover of the database usually takes. */
const USUAL_OUTAGE_MS = 3_000
const PAUSES = { firstMs: 100, longestMs: 1_600 }

/** Retries a write while the database is unavailable, up to the deadline. */
export async function retryWhileUnavailable<T>(
  write: () => Promise<T>,
  deadline = new Deadline(USUAL_OUTAGE_MS)
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deadline.hasPassed) throw error
      await pause(backOffMs(attempt, PAUSES))
    }
  }
}
