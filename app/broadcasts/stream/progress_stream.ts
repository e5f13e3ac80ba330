import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import Broadcast from '#app/broadcasts/models/broadcast'
import { broadcastResource } from '#app/broadcasts/transformers/broadcast_resource'
import broadcastsConfig from '#config/broadcasts'

const openStreams = new Set<AbortController>()

/**
 * Streams `progress` events and a final `end` event. Closes after a while, so that browsers
 * reconnect and authenticate again.
 *
 * @param mayFollow is called regularly; the stream closes when it returns false
 */
export function progressStream(
  id: number,
  connection: Pick<ServerResponse, 'once' | 'destroyed'>,
  mayFollow: () => Promise<boolean>
): Readable {
  const closing = new AbortController()
  const close = () => {
    openStreams.delete(closing)
    closing.abort()
  }
  openStreams.add(closing)
  connection.once('close', close)
  // A connection that closed earlier emits no further event.
  if (connection.destroyed) close()
  return Readable.from(progressEvents(id, closing.signal, mayFollow), { objectMode: false })
}

/** Ends all streams of this process; clients reconnect to another one. */
export function closeProgressStreams() {
  for (const closing of openStreams) closing.abort()
}

export const countProgressStreams = () => openStreams.size

async function* progressEvents(
  id: number,
  closing: AbortSignal,
  mayFollow: () => Promise<boolean>
): AsyncGenerator<string, void> {
  const endAt = performance.now() + broadcastsConfig.streamMaxMs
  let nextCheckAt = performance.now() + broadcastsConfig.streamAccessCheckMs
  let lastData = ''
  let lastSentAt = performance.now()
  yield `retry: ${broadcastsConfig.streamMs * 4}\n\n`
  while (!closing.aborted && performance.now() < endAt) {
    if (performance.now() > nextCheckAt) {
      if (!(await mayFollow())) return
      nextCheckAt = performance.now() + broadcastsConfig.streamAccessCheckMs
    }
    const broadcast = await Broadcast.find(id)
    if (!broadcast) return
    const data = JSON.stringify(broadcastResource(broadcast))
    const isHeartbeatDue = performance.now() - lastSentAt > broadcastsConfig.heartbeatMs
    if (data !== lastData) yield formatEvent('progress', data)
    else if (isHeartbeatDue) yield ': still here\n\n'
    if (data !== lastData || isHeartbeatDue) lastSentAt = performance.now()
    if (broadcast.hasEnded) return yield formatEvent('end', data)
    lastData = data
    await pause(broadcastsConfig.streamMs, null, { signal: closing }).catch(() => {})
  }
}

const formatEvent = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`
