import { setTimeout as pause } from 'node:timers/promises'
import Broadcast from '#app/broadcasts/models/broadcast'

const POLL_MS = 500

/** Yields the broadcast every half second until it ends, is paused, or `signal` aborts. */
export async function* followBroadcast(id: number, signal: AbortSignal): AsyncGenerator<Broadcast> {
  for (;;) {
    const broadcast = await Broadcast.findOrFail(id)
    yield broadcast
    if (broadcast.hasEnded || broadcast.status === 'paused') return
    await pause(POLL_MS, null, { signal }).catch(() => {})
    if (signal.aborted) return
  }
}
