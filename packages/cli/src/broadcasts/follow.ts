import { setTimeout as pause } from 'node:timers/promises'
import { ConciergeProblem } from '@concierge/client'
import { Failure, explain } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { type Session, data } from '../session.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { streamEvents } from './events.ts'
import { type Broadcast, progress } from './progress.ts'

const STREAM = '/api/admin/notifications/broadcast/{appCode}/{id}/stream'
const ONE = '/api/admin/notifications/broadcast/{appCode}/{id}'
const RECONNECT_MS = 1_000
/** An upper limit; the service sends heartbeats. */
const LONGEST_STREAM_MS = 60 * 60 * 1000

/**
 * Follows a broadcast until it ends or is paused. Reconnects after short interruptions.
 *
 * @throws ConciergeProblem, or Failure when the service stays unreachable
 */
export async function follow(session: Session, appCode: string, id: number): Promise<Broadcast> {
  const shown = progress()
  const again = `It goes on. Follow it with: concierge broadcast follow ${appCode} ${id}`
  const stopListening = onInterrupt(again)
  const params = { path: { appCode, id } }
  try {
    for (let lostAt: number | undefined; ;) {
      try {
        const last = await followOnce(session, appCode, id, (broadcast) => {
          lostAt = undefined
          shown.show(broadcast)
        })
        if (last) return last
        lostAt = undefined
      } catch (error) {
        if (error instanceof ConciergeProblem && error.status < 500) throw error
        lostAt ??= Date.now()
        if (Date.now() - lostAt >= session.options.timeout * 1_000) throw lost(error, again)
      }
      await pause(RECONNECT_MS)
      const present = await data(session.api.GET(ONE, { params })).catch(() => undefined)
      if (present && isOver(present)) return present
    }
  } finally {
    shown.end()
    stopListening()
  }
}

/** @returns undefined when the stream ended before the broadcast did */
async function followOnce(
  session: Session,
  appCode: string,
  id: number,
  show: (broadcast: Broadcast) => void
): Promise<Broadcast | undefined> {
  const { api } = session.client(LONGEST_STREAM_MS)
  const params = { path: { appCode, id } }
  const { data: body, error, response } = await api.GET(STREAM, { params, parseAs: 'stream' })
  if (!response.ok || !body) throw new ConciergeProblem(response.status, error)
  for await (const { data: text } of streamEvents(body as ReadableStream<Uint8Array>)) {
    const broadcast = JSON.parse(text) as Broadcast
    show(broadcast)
    if (isOver(broadcast)) return broadcast
  }
  return undefined
}

function lost(error: unknown, hint: string) {
  const { message, exitCode } = explain(error)
  return new Failure(message, exitCode, hint)
}

const isOver = ({ status }: Broadcast) => status !== 'running' && status !== 'scheduled'

export const exitCodeOf = ({ status }: Broadcast) => (status === 'completed' ? EXIT.done : EXIT.no)
