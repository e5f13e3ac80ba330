import type { Socket } from 'node:net'
import { SMTPTransport } from '@adonisjs/mail/transports/smtp'
import type { NodeMailerMessage } from '@adonisjs/mail/types'
import { guardedSocket } from '#core/network/guarded_socket'
import type { Deadline } from '#core/values/deadline'
import type { SmtpTls } from '#app/platform/values/smtp_tls'
import mailConfig from '#config/mail'

export interface SmtpAccount {
  host: string
  port: number
  secure: boolean
  user: string | null
  password: string | null
  tls: SmtpTls
}

export class OutOfTime extends Error {
  override name = 'OutOfTime'
}

type Connected = (error: Error | null, options?: { connection: Socket }) => void

/**
 * A connection to an SMTP account that stays open between mails, one mail at a time, and opens again after a failure. It is a
 * mailer's pool of one, so that a mail whose time is over takes no other mail with it.
 */
export class SmtpConnection {
  readonly #account: SmtpAccount
  #transport?: SMTPTransport
  #socket?: Socket

  constructor(account: SmtpAccount) {
    this.#account = account
  }

  /**
   * Hands a mail to the server.
   *
   * @returns what the server said when it took it
   * @throws OutOfTime, or whatever the mailer throws
   */
  async send(mail: NodeMailerMessage, deadline: Deadline): Promise<string> {
    const transport = (this.#transport ??= this.#newTransport())
    const { promise: timeIsOver, reject } = Promise.withResolvers<never>()
    const cutOff = setTimeout(
      () => reject(new OutOfTime('The server did not finish in time')),
      deadline.left
    )
    try {
      const { original } = await Promise.race([transport.send(mail), timeIsOver])
      return original.response
    } catch (error) {
      // A mailer that failed may be stuck, and one whose time is over must not go on.
      this.#transport = undefined
      this.#socket?.destroy()
      void transport.close()
      throw error
    } finally {
      clearTimeout(cutOff)
    }
  }

  /** A mail under way finishes first. */
  async close() {
    await this.#transport?.close()
  }

  #newTransport() {
    const { host, port, secure, user, password, tls } = this.#account
    const config = {
      host,
      port,
      secure,
      // Requires STARTTLS, even if the server does not offer it, before anything else is sent.
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      // Overrides the process's settings, because TLS without verification does not protect.
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
      auth: user === null ? undefined : { type: 'login' as const, user, pass: password ?? '' },
      pool: true as const,
      maxConnections: 1,
      maxMessages: 1_000,
      // The retries are ours: the mailer's own would repeat a mail without end and without a trace.
      maxRequeues: 0,
      greetingTimeout: mailConfig.greetingMs,
      socketTimeout: mailConfig.socketTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_: unknown, done: Connected) => this.#connect(done),
    }
    return new SMTPTransport(config)
  }

  /** Ours, not the mailer's, because it must be possible to cut it off. The mailer adds TLS. */
  #connect(done: Connected) {
    const { host, port } = this.#account
    const socket = guardedSocket({ host, port }, 'operator')
    const giveUp = setTimeout(
      () => socket.destroy(Object.assign(new Error('No connection'), { code: 'ETIMEDOUT' })),
      mailConfig.connectMs
    )
    const fail = (error: Error) => {
      clearTimeout(giveUp)
      done(error)
    }
    this.#socket = socket.once('error', fail).once('connect', () => {
      clearTimeout(giveUp)
      socket.off('error', fail)
      done(null, { connection: socket })
    })
  }
}
