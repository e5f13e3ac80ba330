import { IncomingMessage } from 'node:http'
import { Connection } from '#core/http/connection'
import { GrowingBuffer } from '#core/http/growing_buffer'
import { TOO_MANY_CHUNKS, rejectUnreadableRequest } from '#core/http/reject_unreadable_request'
import { readingTurns } from '#core/http/reading_turns'
import { skipChunks } from '#core/http/skip_chunks'
import httpLimits from '#config/http_limits'

const { atOnce, bytesPerPiece, perBody, skipped } = httpLimits.pieces
const { restOfBody } = httpLimits

/**
 * Limits how a body arrives. A chunk of one byte takes as much time as one of 64 KiB, so chunks are
 * counted as well as bytes. Above the limit it emits `overflow` or, without a listener, responds
 * with 413.
 */
export class ArrivingRequest extends IncomingMessage {
  /** What the connection may have read in total, once the response is sent. */
  #readLimit: number | undefined
  /** Ends the passing over of chunks that nobody needs. */
  #handChunksOver: (() => void) | undefined
  #chunkCount = 0
  #byteCount = 0
  /** Chunks that arrived after the first and have not been read. */
  #buffered: GrowingBuffer | undefined
  #hasReader = false
  #isRefused = false
  #receive: ((chunk: Buffer | null) => void) | undefined

  /**
   * Hands over each chunk as it arrives, and null at the end. Passing a small body through the
   * stream takes longer than a cached check.
   * @returns false if the body has begun to arrive, so that only the stream has all of it
   */
  handOver(receive: (chunk: Buffer | null) => void): boolean {
    if (this.#chunkCount > 0 || this.complete) return false
    this.#receive = receive
    return true
  }

  /** The response is sent, so the rest of the body is discarded. */
  discardRest() {
    if (!this.complete) this.#readLimit = this.socket.bytesRead + restOfBody.bytes
  }

  /** The parser calls this for each chunk, and with `null` at the end. */
  override push(chunk: Buffer | null): boolean {
    if (this.#isRefused) {
      if (chunk !== null) skipChunks(this.socket)
      return false
    }
    if (chunk === null) {
      // The next request may have been read already.
      this.#handChunksOver?.()
      this.#flush()
      this.#receive?.(null)
      return super.push(null)
    }
    if (this.#readLimit !== undefined) return this.#discard(this.#readLimit)
    this.#byteCount += chunk.length
    if (++this.#chunkCount > 1 && this.#exceedsLimit()) return this.#refuse()
    if (this.#chunkCount > atOnce) this.#takeTurns(1)
    if (this.#receive) {
      this.#receive(chunk)
      return true
    }
    if (this.#chunkCount === 1) return super.push(chunk)
    return this.#hasReader ? super.push(chunk) : this.#buffer(chunk)
  }

  override _read(size: number) {
    if (this.#isRefused) return
    this.#hasReader = true
    this.#flush()
    if (!readingTurns.isWaiting(this.socket)) super._read(size)
  }

  /** Node calls this if the body was not read. Its own method would bypass `push`. */
  _dump() {
    this.removeAllListeners('data')
    this.resume()
  }

  #exceedsLimit() {
    return this.#chunkCount > perBody + this.#byteCount / bytesPerPiece
  }

  #refuse(): boolean {
    this.#isRefused = true
    this.#buffered = undefined
    skipChunks(this.socket)
    if (!this.emit('overflow')) {
      const error = Object.assign(new Error('Too many chunks'), { code: TOO_MANY_CHUNKS })
      rejectUnreadableRequest(error, this.socket)
    }
    return false
  }

  /** The response is sent, so the chunks do not matter, only how many bytes they have. */
  #discard(limit: number): boolean {
    if (this.socket.bytesRead > limit) {
      this.#isRefused = true
      this.socket.destroy()
      return false
    }
    this.#handChunksOver = skipChunks(this.socket)
    this.#takeTurns(skipped)
    return true
  }

  #takeTurns(pieces: number) {
    const network = Connection.of(this.socket)?.client.network
    if (network !== undefined) readingTurns.wait(this.socket, network, pieces)
  }

  #buffer(chunk: Buffer): boolean {
    if (this.#buffered) this.#buffered.append(chunk)
    else this.#buffered = new GrowingBuffer(chunk)
    return this.readableLength + this.#buffered.length < this.readableHighWaterMark
  }

  #flush() {
    const buffered = this.#buffered
    if (!buffered) return
    this.#buffered = undefined
    super.push(buffered.bytes)
  }
}
