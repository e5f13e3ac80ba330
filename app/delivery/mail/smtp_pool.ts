import { Socket } from 'node:net'
import { SMTPTransport } from '@adonisjs/mail/transports/smtp'
import type { NodeMailerMessage } from '@adonisjs/mail/types'
import type { Deadline } from '#core/values/deadline'
import mailConfig from '#config/mail'

export interface SmtpAccount {
  host: string
  port: number
  secure: boolean
  user: string | null
  password: string | null
}

export class OutOfTime extends Error {
  override name = 'OutOfTime'
}

/**
 * The connections to one SMTP account. Mails wait here for a free connection, never inside the mailer, so that one
 * that is given up cannot leave afterwards.
 */
export class SmtpPool {
  readonly #sockets = new Set<Socket>()
  readonly #waiting = new Set<() => void>()
  readonly #transport: SMTPTransport
  #busy = 0
  #closed = false

  constructor(account: SmtpAccount) {
    const config = {
      host: account.host,
      port: account.port,
      secure: account.secure,
      auth:
        account.user === null
          ? undefined
          : { type: 'login' as const, user: account.user, pass: account.password ?? '' },
      pool: true as const,
      maxConnections: mailConfig.connections,
      maxMessages: 1_000,
      // The retries are ours: the mailer's own would repeat a mail without end and without a trace.
      maxRequeues: 0,
      dnsTimeout: mailConfig.connectMs,
      connectionTimeout: mailConfig.connectMs,
      greetingTimeout: mailConfig.greetingMs,
      socketTimeout: mailConfig.silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_: unknown, callback: (error: null, options: { socket: Socket }) => void) =>
        callback(null, { socket: this.#newSocket() }),
    }
    this.#transport = new SMTPTransport(config)
  }

  get isIdle(): boolean {
    return this.#busy === 0 && this.#waiting.size === 0
  }

  /**
   * Hands a mail to the server.
   *
   * @returns what the server said when it took it
   * @throws OutOfTime, or whatever the mailer throws
   */
  async send(mail: NodeMailerMessage, deadline: Deadline): Promise<string> {
    if (deadline.isOver) throw new OutOfTime('No time was left')
    await this.#connectionFree(deadline)
    // A server that keeps talking without ever finishing is cut off.
    const cutOff = setTimeout(() => this.#cutConnections(), deadline.left)
    try {
      const { original } = await this.#transport.send(mail)
      return original.response
    } catch (error) {
      if (deadline.isOver)
        throw new OutOfTime('The server did not finish in time', { cause: error })
      throw error
    } finally {
      clearTimeout(cutOff)
      this.#release()
    }
  }

  /** Mails under way finish; connections close behind them. */
  async close() {
    this.#closed = true
    await this.#transport.close()
  }

  #connectionFree(deadline: Deadline): Promise<void> {
    if (this.#busy < mailConfig.connections) {
      this.#busy++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(proceed)
        reject(new OutOfTime('No connection to the server became free in time'))
      }, deadline.left)
      const proceed = () => {
        clearTimeout(giveUp)
        resolve()
      }
      this.#waiting.add(proceed)
    })
  }

  /** Passes the connection on to whoever has waited longest. */
  #release() {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next()
    } else {
      this.#busy--
      if (this.#closed && this.isIdle) void this.#transport.close()
    }
  }

  #newSocket() {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }

  #cutConnections() {
    for (const socket of this.#sockets) socket.destroy()
  }
}
