import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '#core/values/back_off'
import { Deadline } from '#core/values/deadline'

const PAUSES = { firstMs: 50, longestMs: 500 }

/** Returns the last value, whether it `isThere` or not (zitadel.md#reads-after-writes). */
export async function pollUntil<T>(
  read: () => Promise<T>,
  isThere: (value: T) => boolean,
  withinMs = 2_000
): Promise<T> {
  const deadline = new Deadline(withinMs)
  for (let attempt = 1; ; attempt++) {
    const value = await read()
    if (isThere(value) || deadline.hasPassed) return value
    await pause(Math.min(backOffMs(attempt, PAUSES), deadline.remainingMs))
  }
}
