import { AsyncLocalStorage } from 'node:async_hooks'

/** How long the work in progress has waited for connections, in milliseconds. */
const waits = new AsyncLocalStorage<{ ms: number }>()

/** The work in progress has waited for a connection. */
export function addConnectionWait(ms: number) {
  const current = waits.getStore()
  if (current) current.ms += ms
}

/**
 * Tells how long work takes by itself: without the time in which it waits for connections that
 * others use.
 *
 * @param onEnd called with milliseconds, also if the work fails
 */
export async function measureWork<T>(
  work: () => Promise<T>,
  onEnd: (ms: number) => void
): Promise<T> {
  const waited = { ms: 0 }
  const enclosing = waits.getStore()
  const startedAt = performance.now()
  try {
    return await waits.run(waited, work)
  } finally {
    if (enclosing) enclosing.ms += waited.ms
    onEnd(Math.max(0, performance.now() - startedAt - waited.ms))
  }
}
