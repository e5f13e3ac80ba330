import { setTimeout as pause } from 'node:timers/promises'
import { Deadline } from '#core/values/deadline'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500

/** Returns the last value, whether it `isThere` or not (zitadel.md#reads-after-writes). */
export async function pollUntil<T>(
  read: () => Promise<T>,
  isThere: (value: T) => boolean,
  withinMs = 2_000
): Promise<T> {
  const deadline = new Deadline(withinMs)
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const value = await read()
    if (isThere(value) || deadline.hasPassed) return value
    await pause(Math.min(wait, deadline.remainingMs))
  }
}
