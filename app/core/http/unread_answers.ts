import type { Socket } from 'node:net'
import type { Connection } from '#core/http/connection'
import limits from '#config/limits'

const LOOK_EVERY_MS = 1_000
const { stalledMs, bytesPerSecond, bytes: mostBytes } = limits.unread

/** When the other side was last seen to read fast enough, and how much it had taken by then. */
interface Progress {
  at: number
  taken: number
}

/**
 * Closes connections whose answers are not read. What counts is what the operating system has taken
 * over: a reader that takes a little now and then only looks alive.
 */
class UnreadAnswers {
  readonly #watched = new Map<Connection, Progress>()
  #timer: NodeJS.Timeout | undefined
  /** How many connections were closed so far: for standing still, and to get memory back. */
  readonly closed = { stalled: 0, memory: 0 }

  watch(connection: Connection) {
    if (this.#watched.has(connection)) return
    this.#watched.set(connection, progressOf(connection))
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  #look() {
    for (const [connection, last] of this.#watched) {
      const { socket } = connection
      if (socket.destroyed || !connection.isWriting) this.#watched.delete(connection)
      else this.#require(connection, last)
    }
    this.#shed()
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #require(connection: Connection, last: Progress) {
    const now = progressOf(connection)
    const owed = ((now.at - last.at) / 1_000) * bytesPerSecond
    // Where nothing waits in the socket, it is the service that has not answered yet.
    if (connection.socket.writableLength === 0 || now.taken - last.taken >= owed) {
      this.#watched.set(connection, now)
    } else if (now.at - last.at >= stalledMs) this.#close(connection, 'stalled')
  }

  /** Takes back memory from whoever holds most of it, beginning with what has waited longest. */
  #shed() {
    const unread = [...this.#watched.keys()].map((connection) => {
      return { connection, bytes: connection.unreadBytes }
    })
    let total = unread.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= mostBytes) return
    const byClient = new Map<string, number>()
    for (const { connection, bytes } of unread) {
      const { network } = connection.client
      byClient.set(network, (byClient.get(network) ?? 0) + bytes)
    }
    const heldBy = ({ connection }: (typeof unread)[number]) =>
      byClient.get(connection.client.network)!
    for (const { connection, bytes } of unread.sort((a, b) => heldBy(b) - heldBy(a))) {
      if (total <= mostBytes) return
      this.#close(connection, 'memory')
      total -= bytes
    }
  }

  #close(connection: Connection, reason: keyof UnreadAnswers['closed']) {
    this.closed[reason]++
    this.#watched.delete(connection)
    connection.socket.resetAndDestroy()
  }
}

export const unreadAnswers = new UnreadAnswers()

function progressOf({ socket }: Connection): Progress {
  return { at: performance.now(), taken: takenBy(socket) }
}

/**
 * Node's own timeout of sockets looks at these two figures as well; there is no public name for
 * them.
 */
function takenBy(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null
  }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
