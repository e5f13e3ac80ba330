import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import type NodemailerConnection from 'nodemailer/lib/smtp-connection/index.js'
import { guardedSocket } from '#core/network/guarded_socket'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { type Envelope, SmtpDialogue, extensionsIn } from '#app/delivery/mail/smtp_dialogue'
import { SmtpOpening } from '#app/delivery/mail/smtp_opening'
import mailConfig from '#config/mail'

/** Servers may limit how many mails a connection sends. */
const MOST_MAILS = 1_000

/**
 * One connection to a server, from its greeting to its end, that sends one mail at a time.
 * nodemailer opens it, without its pool and transport, so that aborting a mail affects no other.
 */
export class SmtpSession {
  readonly #account: SmtpAccount
  #socket?: Socket
  #connection?: SmtpOpening
  #dialogue?: SmtpDialogue
  /** Refuses the mail that is being sent. */
  #refuse?: (error: unknown) => void
  #mails = 0
  #hasEnded = false

  constructor(account: SmtpAccount) {
    this.#account = account
  }

  get isUsable(): boolean {
    return !this.#hasEnded && this.#mails < MOST_MAILS
  }

  /** Whether the server may have accepted the last mail without having said so. */
  get awaitsConfirmation(): boolean {
    return this.#dialogue?.awaitsConfirmation ?? false
  }

  /** Returns the reply of the server. */
  send(envelope: Envelope, raw: string): Promise<string> {
    this.#mails++
    return new Promise((resolve, reject) => {
      this.#refuse = reject
      const transmit = (dialogue: SmtpDialogue) => {
        dialogue.send(envelope, raw).then(resolve, reject)
      }
      if (this.#dialogue) transmit(this.#dialogue)
      else this.#open(transmit)
    })
  }

  /** Ends the session immediately and fails the mail in progress with this error. */
  fail(error: unknown) {
    this.#hasEnded = true
    this.#refuse?.(error)
    this.#socket?.destroy()
    this.#connection?.close()
  }

  close() {
    this.#hasEnded = true
    this.#connection?.close()
  }

  #open(ready: (dialogue: SmtpDialogue) => void) {
    const { user, password } = this.#account
    this.#connect((socket) => {
      const connection = new SmtpOpening(this.#optionsFor(socket))
      connection.on('error', (error) => this.fail(error))
      connection.once('end', () => this.fail(new Error('The server closed the connection')))
      connection.connect((error) => {
        if (error) return this.fail(error)
        const extensions = extensionsIn(String(connection.lastServerResponse))
        const proceed = () => {
          this.#connection = connection
          // That of TLS, if there is one. nodemailer still notices how it ends.
          const { _socket: secured } = connection
          secured.removeAllListeners('data')
          this.#dialogue = new SmtpDialogue(secured, extensions, (problem) => {
            this.#hasEnded = true
            // After the reply before it, which may have accepted a mail.
            setImmediate(() => this.fail(problem))
          })
          ready(this.#dialogue)
        }
        if (user === null || !connection.allowsAuth) return proceed()
        connection.login({ credentials: { user, pass: password ?? '' } }, (refused) =>
          refused ? this.fail(refused) : proceed()
        )
      })
    })
  }

  #optionsFor(connection: Socket): NodemailerConnection.Options {
    const { host, port, secure, tls } = this.#account
    return {
      host,
      port,
      secure,
      connection,
      // Requires STARTTLS before anything else is sent.
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      // Overrides process settings such as NODE_TLS_REJECT_UNAUTHORIZED.
      tls: {
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      },
      greetingTimeout: mailConfig.greetingMs,
      socketTimeout: mailConfig.socketTimeoutMs,
    }
  }

  /** Keeps the socket, so that it can be destroyed. nodemailer adds TLS. */
  #connect(connected: (socket: Socket) => void) {
    const { host, port } = this.#account
    const socket = guardedSocket({ host, port }, 'operator')
    this.#socket = socket
    const giveUp = setTimeout(
      () => socket.destroy(Object.assign(new Error('No connection'), { code: 'ETIMEDOUT' })),
      mailConfig.connectMs
    )
    const fail = (error: Error) => {
      clearTimeout(giveUp)
      this.fail(error)
    }
    socket.once('error', fail).once('connect', () => {
      clearTimeout(giveUp)
      socket.off('error', fail)
      connected(socket)
    })
  }
}
