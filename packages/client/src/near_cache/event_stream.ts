import { type EventSourceMessage, createParser } from 'eventsource-parser'
import { ConciergeProblem } from '../problem.ts'
import { ConciergeUnreachable } from '../unreachable.ts'

/** More than the largest change has. */
const MAX_EVENT_CHARACTERS = 262_144
const MAX_PROBLEM_CHARACTERS = 16_384

/** The part of `node:http` that is needed here: with `fetch`, a process could not end. */
interface Http {
  request(url: URL, options: object): Outgoing
}

interface Outgoing {
  on(event: 'socket', listener: (socket: { unref(): void }) => void): void
  on(event: 'response', listener: (response: Incoming) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  end(): void
  destroy(): void
}

interface Incoming extends AsyncIterable<string> {
  statusCode: number
  headers: Record<string, string | undefined>
  setEncoding(encoding: 'utf8'): void
}

/** What was received is not a change feed. */
export class GarbageReceived extends Error {
  override readonly name = 'GarbageReceived'
}

interface Reading {
  /** Ends the stream as garbage if it throws. */
  onEvent: (event: EventSourceMessage) => void
  /** Before each part of the stream. Returns false to end it. */
  isWanted: () => boolean
  signal: AbortSignal
}

/**
 * Reads Server-Sent Events until the stream ends. The connection does not keep the process alive.
 *
 * @throws ConciergeProblem, ConciergeUnreachable, GarbageReceived, the reason of the signal
 */
export async function readEventStream(
  url: URL,
  headers: Record<string, string>,
  { onEvent, isWanted, signal }: Reading
): Promise<void> {
  // Bundlers for browsers leave the import of a variable alone.
  const module = url.protocol === 'https:' ? 'node:https' : 'node:http'
  const { request } = (await import(module)) as Http
  signal.throwIfAborted()
  const accept = { accept: 'text/event-stream' }
  const outgoing = request(url, { agent: false, signal, headers: { ...accept, ...headers } })
  try {
    const response = await responseTo(outgoing)
    await requireStream(response)
    const feed = parserFor(onEvent)
    for await (const text of response) {
      if (!isWanted()) return
      feed(text)
    }
  } catch (error) {
    signal.throwIfAborted()
    const isKnown = error instanceof ConciergeProblem || error instanceof GarbageReceived
    throw isKnown ? error : new ConciergeUnreachable(error)
  } finally {
    outgoing.destroy()
  }
}

async function responseTo(outgoing: Outgoing): Promise<Incoming> {
  const response = await new Promise<Incoming>((resolve, reject) => {
    outgoing.on('socket', (socket) => socket.unref())
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end()
  })
  response.setEncoding('utf8')
  return response
}

async function requireStream(response: Incoming) {
  if (response.statusCode !== 200) {
    throw new ConciergeProblem(response.statusCode, await readJson(response))
  }
  if (response.headers['content-type']?.startsWith('text/event-stream') !== true) {
    throw new GarbageReceived('The response is not a stream of events')
  }
}

async function readJson(response: Incoming): Promise<unknown> {
  let text = ''
  for await (const part of response) {
    text += part
    if (text.length > MAX_PROBLEM_CHARACTERS) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns a function that takes the next part of the text, and throws GarbageReceived */
function parserFor(onEvent: Reading['onEvent']) {
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent(event) {
      // The limit of the parser does not cover the part that completes an event.
      if (event.data.length > MAX_EVENT_CHARACTERS) throw new Error('The event is too long')
      onEvent(event)
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  return (text: string) => {
    try {
      parser.feed(text)
    } catch (cause) {
      throw new GarbageReceived('The change feed sent something that is not a change', { cause })
    }
  }
}
