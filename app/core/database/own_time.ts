import { AsyncLocalStorage } from 'node:async_hooks'

/** How long the work in progress has waited for others, in milliseconds. */
const waits = new AsyncLocalStorage<{ ms: number }>()

/** The work in progress has waited for something that others use, such as a connection. */
export function addWait(ms: number) {
  const current = waits.getStore()
  if (current) current.ms += ms
}

/**
 * Tells how long work takes by itself, without its waits for others.
 *
 * @param onEnd called with milliseconds, also if the work fails
 */
export async function measureOwnTime<T>(
  work: () => Promise<T>,
  onEnd: (ms: number) => void
): Promise<T> {
  const waited = { ms: 0 }
  const startedAt = performance.now()
  try {
    return await waits.run(waited, work)
  } finally {
    addWait(waited.ms)
    onEnd(Math.max(0, performance.now() - startedAt - waited.ms))
  }
}
