import { setTimeout as pause } from 'node:timers/promises'
import { ConciergeProblem, type components } from '@concierge/client'
import { Failure, describeError } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { type Session, unwrapData } from '../session.ts'
import { onInterrupt } from '../terminal/on_interrupt.ts'
import { BROADCAST } from './broadcast_path.ts'
import { streamEvents } from './stream_events.ts'
import { createProgress } from './progress.ts'

type Broadcast = components['schemas']['Broadcast']

const STREAM = `${BROADCAST}/stream` as const
const RECONNECT_MS = 1_000
/** An upper limit; the service sends heartbeats. */
const LONGEST_STREAM_MS = 60 * 60 * 1000

/** Follows a broadcast, prints its last state and sets the exit code that says how it ended. */
export async function followAndPrint(session: Session, appCode: string, id: number) {
  const last = await followBroadcast(session, appCode, id)
  session.print(last)
  process.exitCode = exitCodeOf(last)
}

/**
 * Follows a broadcast until it ends or is paused. Reconnects after short interruptions.
 *
 * @throws ConciergeProblem, or Failure when the service stays unreachable
 */
async function followBroadcast(session: Session, appCode: string, id: number): Promise<Broadcast> {
  const progress = createProgress()
  const hint = `The broadcast continues. Follow it with: concierge broadcast follow ${appCode} ${id}`
  const stopListening = onInterrupt(hint)
  const params = { path: { appCode, id } }
  try {
    for (let lostAt: number | undefined; ;) {
      try {
        const last = await followOnce(session, appCode, id, (broadcast) => {
          lostAt = undefined
          progress.show(broadcast)
        })
        if (last) return last
        lostAt = undefined
      } catch (error) {
        if (error instanceof ConciergeProblem && error.status < 500) throw error
        lostAt ??= Date.now()
        if (Date.now() - lostAt >= session.options.timeout * 1_000)
          throw connectionFailure(error, hint)
      }
      await pause(RECONNECT_MS)
      const present = await unwrapData(session.api.GET(BROADCAST, { params })).catch(
        () => undefined
      )
      if (present && hasStopped(present)) return present
    }
  } finally {
    progress.end()
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
    if (hasStopped(broadcast)) return broadcast
  }
  return undefined
}

function connectionFailure(error: unknown, hint: string) {
  const { message, exitCode } = describeError(error)
  return new Failure(message, exitCode, hint)
}

const hasStopped = ({ status }: Broadcast) => status !== 'running' && status !== 'scheduled'

const exitCodeOf = ({ status }: Broadcast) =>
  status === 'completed' ? EXIT.success : EXIT.negative
