import { IncomingMessage } from 'node:http'
import { GatheredBytes } from '#core/http/gathered_bytes'
import { TOO_MANY_PIECES, answerUnreadable } from '#core/http/unreadable_request'
import bodyConfig from '#config/body'
import limits from '#config/limits'

const { perBody, bytesPerPiece } = limits.pieces

/**
 * A request that limits how its body arrives, whether or not anybody reads it. A chunk of one byte
 * takes as much time as one of 64 KiB, so the pieces are counted as well as the bytes.
 *
 * Emits `overflow` when there are too many; without a listener the answer is 413, and the connection
 * ends. Once a request has been answered, a body that goes on too long only ends the connection.
 */
export class ArrivingRequest extends IncomingMessage {
  /** The answer is complete: nobody wants what still arrives. */
  isAnswered = false
  #pieces = 0
  #bytes = 0
  /** What has arrived after the first piece while nobody reads. */
  #unread: GatheredBytes | undefined
  #hasReader = false
  #isOver = false

  /** Everything has arrived, and can be read without waiting. */
  get isWhole(): boolean {
    return this.complete && !this.#isOver
  }

  /** The parser calls this for each piece, and with `null` at the end. */
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

  /**
   * Called once the request is answered without its body having been read. By itself Node would
   * throw away the rest of the body without calling `push`.
   */
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
