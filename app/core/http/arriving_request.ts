import { IncomingMessage } from 'node:http'
import { GatheredBytes } from '#core/http/gathered_bytes'
import { TOO_MANY_PIECES, answerUnreadable } from '#core/http/unreadable_request'
import bodyConfig from '#config/body'
import limits from '#config/limits'

const { perBody, bytesPerPiece } = limits.pieces

/**
 * Limits how a body arrives. A chunk of one byte takes as much time as one of 64 KiB, so chunks are
 * counted as well as bytes. Above the limit it emits `overflow` or, without a listener, answers
 * 413.
 */
export class ArrivingRequest extends IncomingMessage {
  isAnswered = false
  #pieces = 0
  #bytes = 0
  /** Chunks that arrived after the first and have not been read. */
  #unread: GatheredBytes | undefined
  #hasReader = false
  #isOver = false

  /** The parser calls this for each chunk, and with `null` at the end. */
  override push(piece: Buffer | null): boolean {
    if (this.#isOver) return false
    if (piece === null) {
      this.#release()
      return super.push(null)
    }
    this.#bytes += piece.length
    if (++this.#pieces === 1) return super.push(piece)
    if (this.#isTooMuch()) return this.#refuse()
    return this.#hasReader ? super.push(piece) : this.#keep(piece)
  }

  override _read(size: number) {
    if (this.#isOver) return
    this.#hasReader = true
    this.#release()
    super._read(size)
  }

  /** Node calls this if the body was not read. Its own method would bypass `push`. */
  _dump() {
    this.removeAllListeners('data')
    this.resume()
  }

  #isTooMuch() {
    if (this.isAnswered && this.#bytes > bodyConfig.limit) return true
    return this.#pieces > perBody + this.#bytes / bytesPerPiece
  }

  #refuse(): boolean {
    this.#isOver = true
    this.#unread = undefined
    if (this.isAnswered) this.socket.destroy()
    else if (!this.emit('overflow')) {
      const error = Object.assign(new Error('Too many pieces'), { code: TOO_MANY_PIECES })
      answerUnreadable(error, this.socket)
    }
    return false
  }

  #keep(piece: Buffer): boolean {
    if (this.#unread) this.#unread.append(piece)
    else this.#unread = new GatheredBytes(piece)
    return this.readableLength + this.#unread.length < this.readableHighWaterMark
  }

  #release() {
    const unread = this.#unread
    if (!unread) return
    this.#unread = undefined
    super.push(unread.bytes)
  }
}
