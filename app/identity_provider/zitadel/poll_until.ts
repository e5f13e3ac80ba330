import { setTimeout as pause } from 'node:timers/promises'
import { Deadline } from '#core/values/deadline'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500

/**
 * Reads repeatedly until `isThere` or the time is up, because reads lag behind writes
 * (zitadel.md#reads-after-writes). Returns the last value either way.
 */
export async function pollUntil<T>(
  read: () => Promise<T>,
  isThere: (value: T) => boolean,
  withinMs = 2_000
): Promise<T> {
  const deadline = new Deadline(withinMs)
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const value = await read()
    if (isThere(value) || deadline.isOver) return value
    await pause(Math.min(wait, deadline.left))
  }
}
