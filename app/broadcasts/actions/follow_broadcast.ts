import { setTimeout as pause } from 'node:timers/promises'
import Broadcast from '#app/broadcasts/models/broadcast'

const LOOK_EVERY_MS = 500

/**
 * Answers how a broadcast stands, again and again until it has ended or been paused, or `signal` says that nobody wants to
 * know any more.
 */
export async function* followBroadcast(id: number, signal: AbortSignal): AsyncGenerator<Broadcast> {
  for (;;) {
    const broadcast = await Broadcast.findOrFail(id)
    yield broadcast
    if (broadcast.hasEnded || broadcast.status === 'paused') return
    await pause(LOOK_EVERY_MS, null, { signal }).catch(() => {})
    if (signal.aborted) return
  }
}
