import type { Socket } from 'node:net'
import { SMTPTransport } from '@adonisjs/mail/transports/smtp'
import { guardedSocket } from '#core/network/guarded_socket'
import type { Deadline } from '#core/values/deadline'
import { type SignableMail, renderMail } from '#app/delivery/mail/render_mail'
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

export class SmtpTimeout extends Error {
  override name = 'SmtpTimeout'
}

type Connected = (error: Error | null, options?: { connection: Socket }) => void

/**
 * A connection that stays open between mails and reopens after a failure. It uses a nodemailer pool
 * of one, so that aborting a mail affects no other mail.
 */
export class SmtpConnection {
  readonly #account: SmtpAccount
  #transport?: SMTPTransport
  #socket?: Socket

  constructor(account: SmtpAccount) {
    this.#account = account
  }

  /** Returns the reply of the server. @throws SmtpTimeout, UnusableSender, nodemailer's errors */
  async send(mail: SignableMail, deadline: Deadline): Promise<string> {
    const rendered = renderMail(mail)
    const transport = (this.#transport ??= this.#newTransport())
    const { promise: timeIsOver, reject } = Promise.withResolvers<never>()
    const timeout = setTimeout(
      () => reject(new SmtpTimeout('The server did not finish in time')),
      deadline.remainingMs
    )
    try {
      const { original } = await Promise.race([transport.send(rendered), timeIsOver])
      return original.response
    } catch (error) {
      // A failed transport may be stuck, and one whose time is over must stop.
      this.#transport = undefined
      this.#socket?.destroy()
      void transport.close()
      throw error
    } finally {
      clearTimeout(timeout)
    }
  }

  async close() {
    await this.#transport?.close()
  }

  #newTransport() {
    const { host, port, secure, user, password, tls } = this.#account
    const config = {
      host,
      port,
      secure,
      // Requires STARTTLS before anything else is sent.
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      // Overrides process settings such as NODE_TLS_REJECT_UNAUTHORIZED.
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
      auth: user === null ? undefined : { type: 'login' as const, user, pass: password ?? '' },
      pool: true as const,
      maxConnections: 1,
      maxMessages: 1_000,
      // nodemailer would retry without a limit and without telling us.
      maxRequeues: 0,
      greetingTimeout: mailConfig.greetingMs,
      socketTimeout: mailConfig.socketTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_: unknown, done: Connected) => this.#connect(done),
    }
    return new SMTPTransport(config)
  }

  /** Keeps the socket, so that it can be destroyed. nodemailer adds TLS. */
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
