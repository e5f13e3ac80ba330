import type { Socket } from 'node:net'
import { FairQueue } from '#core/values/fair_queue'
import httpLimits from '#config/http_limits'

const { perTurn } = httpLimits.pieces

/** A connection that waits until it may read again. */
interface Reader {
  socket: Socket
  network: string
  /** Of the bodies that it has read since its last turn. */
  pieces: number
}

/**
 * Limits how many pieces of bodies are handled between two other events. Node reads up to 2 MiB
 * from a connection before it turns to the next one, and 64 KiB can be a thousand small pieces,
 * which take 2 ms. So a connection that brings many of them reads once per turn, and clients
 * alternate.
 */
class ReadingTurns {
  readonly #waiting = new FairQueue<Reader>()
  readonly #readers = new WeakMap<Socket, Reader>()
  #isScheduled = false

  /** Stops reading after what has been read already, until it is the turn of the connection. */
  wait(socket: Socket, network: string, pieces: number) {
    const held = this.#readers.get(socket)
    if (held) return void (held.pieces += pieces)
    const reader = { socket, network, pieces }
    this.#readers.set(socket, reader)
    // Node continues to read at the end of each request, for example.
    socket.pause().on('resume', this.#keepPaused)
    this.#waiting.add(reader, { group: network })
    this.#schedule()
  }

  isWaiting(socket: Socket): boolean {
    return this.#readers.has(socket)
  }

  readonly #keepPaused = function (this: Socket) {
    this.pause()
  }

  #schedule() {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#serve()
      if (!this.#waiting.isEmpty) this.#schedule()
    })
  }

  #serve() {
    let left = perTurn
    while (left > 0) {
      const reader = this.#waiting.take()
      if (!reader) return
      const { socket, network, pieces } = reader
      this.#readers.delete(socket)
      socket.off('resume', this.#keepPaused)
      if (socket.destroyed) continue
      socket.resume()
      this.#waiting.recordUse({ group: network }, pieces)
      left -= pieces
    }
  }
}

export const readingTurns = new ReadingTurns()
