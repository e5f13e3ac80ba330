import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#core/database/errors'

/** Some three seconds in all: what a restart or a failover of the database usually takes. */
const WAITS_MS = [100, 200, 400, 800, 1_600]

/** Writes something that cannot be asked for again: while the database is away, it is tried a few more times. */
export async function whenAvailable<T>(write: () => Promise<T>): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await pause(wait)
    }
  }
  return write()
}
