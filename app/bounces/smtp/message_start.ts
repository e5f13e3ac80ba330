import { Writable } from 'node:stream'
import type { SMTPServerDataStream } from 'smtp-server'
import { SmtpRefusal } from '#app/bounces/smtp/smtp_refusal'
import bouncesConfig from '#config/bounces'

/**
 * Keeps the start of a message. Its rest is only counted, until it is too large or arrives in too
 * many pieces, each of which costs time however small it is.
 */
export class MessageStart extends Writable {
  readonly #chunks: Buffer[] = []
  #missing = bouncesConfig.maxRead
  pieces = 0

  constructor(private readonly message: SMTPServerDataStream) {
    super()
  }

  get content(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void) {
    this.pieces++
    if (this.#missing > 0) this.#chunks.push(chunk.subarray(0, this.#missing))
    this.#missing -= chunk.length
    done(this.#refusal())
  }

  #refusal(): SmtpRefusal | null {
    if (this.message.sizeExceeded) return new SmtpRefusal(552, 'The message is too large')
    return this.pieces > bouncesConfig.maxPieces
      ? new SmtpRefusal(554, 'The message arrived in too many pieces')
      : null
  }
}
