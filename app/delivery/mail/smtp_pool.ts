import type { NodeMailerMessage } from '@adonisjs/mail/types'
import type { Deadline } from '#core/values/deadline'
import { OutOfTime, type SmtpAccount, SmtpConnection } from '#app/delivery/mail/smtp_connection'
import mailConfig from '#config/mail'

/**
 * The connections to one SMTP account. Mails wait here for a free connection, never inside the mailer, so that one
 * that is given up cannot leave afterwards.
 */
export class SmtpPool {
  readonly #account: SmtpAccount
  /** The one used last is at the end and goes first: the others may close for want of work. */
  readonly #free: SmtpConnection[] = []
  readonly #waiting = new Set<(connection: SmtpConnection) => void>()
  #connections = 0
  #closed = false

  constructor(account: SmtpAccount) {
    this.#account = account
  }

  get isIdle(): boolean {
    return this.#free.length === this.#connections && this.#waiting.size === 0
  }

  /**
   * Hands a mail to the server.
   *
   * @returns what the server said when it took it
   * @throws OutOfTime, or whatever the mailer throws
   */
  async send(mail: NodeMailerMessage, deadline: Deadline): Promise<string> {
    if (deadline.isOver) throw new OutOfTime('No time was left')
    const connection = await this.#freeConnection(deadline)
    try {
      return await connection.send(mail, deadline)
    } finally {
      this.#release(connection)
    }
  }

  /** Mails under way finish; connections close behind them. */
  async close() {
    this.#closed = true
    await Promise.all(this.#free.map((connection) => connection.close()))
  }

  #freeConnection(deadline: Deadline): SmtpConnection | Promise<SmtpConnection> {
    const free = this.#free.pop()
    if (free) return free
    if (this.#connections < mailConfig.connections) {
      this.#connections++
      return new SmtpConnection(this.#account)
    }
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(proceed)
        reject(new OutOfTime('No connection to the server became free in time'))
      }, deadline.left)
      const proceed = (connection: SmtpConnection) => {
        clearTimeout(giveUp)
        resolve(connection)
      }
      this.#waiting.add(proceed)
    })
  }

  /** Passes the connection on to whoever has waited longest. */
  #release(connection: SmtpConnection) {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next(connection)
      return
    }
    this.#free.push(connection)
    if (this.#closed) void connection.close()
  }
}
