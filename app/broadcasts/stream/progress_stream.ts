import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import Broadcast from '#app/broadcasts/models/broadcast'
import { broadcastResource } from '#app/broadcasts/transformers/broadcast'
import broadcastsConfig from '#config/broadcasts'

/** The connections of this process that follow a broadcast. */
const open = new Set<AbortController>()

/**
 * The progress of a broadcast as Server-Sent Events: `progress` whenever something has changed, `end` when nothing more will. It ends
 * by itself after a while all the same; browsers come back then, and are asked again who they are. How many there may be is
 * the request gate's matter.
 *
 * @param connection Emits `close` when nobody listens any more
 * @param mayFollow Asked again and again: whoever may no longer sees no more
 */
export function progressStream(
  id: number,
  connection: Pick<ServerResponse, 'once' | 'destroyed'>,
  mayFollow: () => Promise<boolean>
): Readable {
  const closing = new AbortController()
  const close = () => {
    open.delete(closing)
    closing.abort()
  }
  open.add(closing)
  connection.once('close', close)
  // It is not said twice, and the reader may have gone while the broadcast was looked for.
  if (connection.destroyed) close()
  return Readable.from(events(id, closing.signal, mayFollow), { objectMode: false })
}

/** Lets the process end: those who follow come back to another one. */
export function closeStreams() {
  for (const closing of open) closing.abort()
}

/** How many connections follow a broadcast at present. */
export const countStreams = () => open.size

async function* events(
  id: number,
  closing: AbortSignal,
  mayFollow: () => Promise<boolean>
): AsyncGenerator<string, void> {
  const endAt = performance.now() + broadcastsConfig.streamLifeMs
  let askAt = performance.now() + broadcastsConfig.streamAskMs
  let told = ''
  let toldAt = performance.now()
  yield `retry: ${broadcastsConfig.streamMs * 4}\n\n`
  while (!closing.aborted && performance.now() < endAt) {
    if (performance.now() > askAt) {
      if (!(await mayFollow())) return
      askAt = performance.now() + broadcastsConfig.streamAskMs
    }
    const broadcast = await Broadcast.find(id)
    if (!broadcast) return
    const data = JSON.stringify(broadcastResource(broadcast))
    const isSilent = performance.now() - toldAt > broadcastsConfig.heartbeatMs
    if (data !== told) yield event('progress', data)
    else if (isSilent) yield ': still here\n\n'
    if (data !== told || isSilent) toldAt = performance.now()
    if (broadcast.hasEnded) return yield event('end', data)
    told = data
    await pause(broadcastsConfig.streamMs, null, { signal: closing }).catch(() => {})
  }
}

const event = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`
