import type { Socket } from 'node:net'
import type { Connection } from '#core/http/connection'
import httpLimits from '#config/http_limits'

const CHECK_INTERVAL_MS = 1_000
const { stalledMs, bytesPerSecond, bytes: maxBytes } = httpLimits.unread

/** When the client last read fast enough, and how much it had read by then. */
interface Progress {
  at: number
  bytes: number
}

/**
 * Closes connections whose responses are not read. A client that reads a little now and then looks
 * active, so this measures the bytes that the operating system has taken.
 */
class UnreadResponses {
  readonly #watched = new Map<Connection, Progress>()
  #timer: NodeJS.Timeout | undefined
  readonly closed = { stalled: 0, memory: 0 }

  watch(connection: Connection) {
    if (this.#watched.has(connection)) return
    this.#watched.set(connection, progressOf(connection))
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
  }

  #check() {
    for (const [connection, last] of this.#watched) {
      const { socket } = connection
      if (socket.destroyed || !connection.isWriting) this.#watched.delete(connection)
      else this.#checkProgress(connection, last)
    }
    this.#freeMemory()
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #checkProgress(connection: Connection, last: Progress) {
    const now = progressOf(connection)
    const expected = ((now.at - last.at) / 1_000) * bytesPerSecond
    // With an empty buffer, the client is waiting for the service.
    if (connection.socket.writableLength === 0 || now.bytes - last.bytes >= expected) {
      this.#watched.set(connection, now)
    } else if (now.at - last.at >= stalledMs) this.#close(connection, 'stalled')
  }

  /** Frees memory, starting with the client that holds the most. */
  #freeMemory() {
    const unread = [...this.#watched.keys()].map((connection) => {
      return { connection, bytes: connection.unreadBytes }
    })
    let total = unread.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= maxBytes) return
    const byReader = Object.values(
      Object.groupBy(unread, ({ connection }) => connection.reader.network)
    )
    const bytesOf = (held: typeof unread = []) => held.reduce((sum, { bytes }) => sum + bytes, 0)
    const largestFirst = byReader.sort((a, b) => bytesOf(b) - bytesOf(a))
    for (const { connection, bytes } of largestFirst.flatMap((held) => held ?? [])) {
      if (total <= maxBytes) return
      this.#close(connection, 'memory')
      total -= bytes
    }
  }

  #close(connection: Connection, reason: keyof UnreadResponses['closed']) {
    this.closed[reason]++
    this.#watched.delete(connection)
    connection.socket.resetAndDestroy()
  }
}

export const unreadResponses = new UnreadResponses()

function progressOf({ socket }: Connection): Progress {
  return { at: performance.now(), bytes: bytesRead(socket) }
}

/** Node has no public API for these properties, and uses them for its own socket timeout. */
function bytesRead(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null
  }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
