import NodemailerConnection from 'nodemailer/lib/smtp-connection/index.js'
import { ReplyTooLong } from '#app/delivery/mail/smtp_dialogue'

/** Of all replies together, in bytes. Real servers need less than two thousand. */
const MOST_BYTES = 16_384
const MOST_LINES = 256
/** In bytes, twice what RFC 5321 allows. */
const LONGEST_LINE = 1_024

/** What the library's types do not have. */
interface Untyped {
  /** Whether the server offers authentication */
  allowsAuth: boolean
  _onData(chunk: Buffer): void
  _onError(error: Error, code: undefined, reply: false, command: string): void
  _actionEHLO(reply: string): void
}

const Connection = NodemailerConnection as unknown as new (
  options: NodemailerConnection.Options
) => NodemailerConnection & Untyped

/**
 * A connection until someone has logged in. The server may not say much meanwhile:
 * nodemailer takes replies of any length, and reads all of a reply again for each of its lines.
 */
export class SmtpOpening extends Connection {
  #bytes = 0
  #lines = 0
  /** Bytes of the line that has not ended */
  #line = 0

  /** Reads what arrives, also over TLS. */
  override _onData(chunk: Buffer) {
    if (this.#hasRoomFor(chunk)) super._onData(chunk)
    else this._onError(new ReplyTooLong(), undefined, false, 'CONN')
  }

  /** The library's patterns for `AUTH` take cubic time in spaces. */
  override _actionEHLO(reply: string) {
    super._actionEHLO(reply.replaceAll(/[^\S\n]+/g, ' '))
  }

  #hasRoomFor(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > MOST_BYTES) return false
    for (const byte of chunk) {
      if (++this.#line > LONGEST_LINE) return false
      if (byte !== 0x0a) continue
      this.#line = 0
      if (++this.#lines > MOST_LINES) return false
    }
    return true
  }
}
