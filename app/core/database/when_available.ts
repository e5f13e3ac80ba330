import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#core/database/errors'
import { Deadline } from '#core/values/deadline'

/** How long a restart or failover of the database usually takes. */
const USUALLY_MS = 3_000
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [100, 1_600]

/** Retries a write while the database is unavailable, until the deadline. */
export async function whenAvailable<T>(
  write: () => Promise<T>,
  until = new Deadline(USUALLY_MS)
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || until.isOver) throw error
      await pause(wait)
    }
  }
}
