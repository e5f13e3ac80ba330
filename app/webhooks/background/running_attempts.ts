import { setTimeout as pause } from 'node:timers/promises'

/** How long a shutdown lets attempts finish. */
const GRACE_MS = 2_000

const running = new Set<Promise<unknown>>()
const abort = new AbortController()

/** Aborted when the process ends, and with it all attempts. */
export const stopping = abort.signal

/** Makes the shutdown wait for an attempt. */
export function trackAttempt<T>(attempt: Promise<T>): Promise<T> {
  running.add(attempt)
  void attempt.finally(() => running.delete(attempt))
  return attempt
}

/** Cuts off attempts that take long. Another process makes them again. */
export async function finishAttempts() {
  if (running.size > 0) await Promise.race([Promise.all(running), pause(GRACE_MS)])
  abort.abort()
  await Promise.all(running)
}
