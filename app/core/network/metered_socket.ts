import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Owner } from '#core/values/fair_queue'
import { HandshakeTurns } from '#core/network/handshake_turns'
import { OutboundError } from '#core/network/outbound_error'

/** Ordinary certificate chains take 2 to 10 KiB. */
const MAX_HANDSHAKE_BYTES = 16_384

const handshakes = new HandshakeTurns()

interface Options {
  /** Whose handshakes take turns with those of others. Null: they never wait. */
  owner: Owner | null
  /** Is told how long a received piece kept the process busy. */
  onWork?: (ms: number) => void
}

/**
 * The encrypted side of a TLS connection, which OpenSSL would otherwise read by itself. Servers
 * that others chose could keep it busy: it verifies a hundred certificates on costly curves without
 * a pause, and it answers messages of the TLS layer without end.
 */
export class MeteredSocket extends Duplex {
  readonly #socket: Socket
  readonly #options: Options
  #isHandshake = true
  #maxBytes = MAX_HANDSHAKE_BYTES
  #received = 0
  /** Pieces that wait for their turn. Null is the end. */
  readonly #waiting: (Buffer | null)[] = []

  constructor(socket: Socket, options: Options) {
    super()
    this.#socket = socket.setNoDelay(true)
    this.#options = options
    socket
      .on('data', (piece: Buffer) => this.#receive(piece))
      .on('end', () => this.#pass(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy())
  }

  /** Ends the handshake. @param maxBytes that may be received until the next call */
  allow(maxBytes: number) {
    this.#isHandshake = false
    this.#maxBytes = maxBytes
    this.#received = 0
  }

  #receive(piece: Buffer) {
    this.#received += piece.length
    if (this.#received <= this.#maxBytes) this.#pass(piece)
    else this.destroy(new OutboundError('too_large'))
  }

  /** Keeps the order of the pieces. */
  #pass(piece: Buffer | null) {
    const { owner } = this.#options
    const isAtOnce = !this.#isHandshake && this.#waiting.length === 0
    if (isAtOnce || owner === null) return this.#work(piece)
    this.#waiting.push(piece)
    if (this.#waiting.length === 1) this.#takeTurn(owner)
  }

  #takeTurn(owner: Owner) {
    handshakes.run(
      () => this.#work(this.#waiting[0]),
      owner,
      () => {
        this.#waiting.shift()
        if (this.#waiting.length > 0) this.#takeTurn(owner)
      }
    )
  }

  /** OpenSSL works on the piece before this returns. */
  #work(piece: Buffer | null) {
    if (this.destroyed) return
    const startedAt = performance.now()
    if (!this.push(piece)) this.#socket.pause()
    this.#options.onWork?.(performance.now() - startedAt)
  }

  override _read() {
    this.#socket.resume()
  }

  override _write(piece: Buffer, _: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket.write(piece, done)
  }

  override _final(done: () => void) {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#socket.destroy()
    done(error)
  }
}
