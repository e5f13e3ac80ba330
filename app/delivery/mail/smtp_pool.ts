import type { Deadline } from '#core/values/deadline'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { SmtpConnection, SmtpTimeout } from '#app/delivery/mail/smtp_connection'
import mailConfig from '#config/mail'

/** Mails wait here and not in nodemailer, so that a mail that has timed out is never sent. */
export class SmtpPool {
  /** Last in, first out, so that unused connections can close */
  readonly #free: SmtpConnection[] = []
  readonly #waiting = new Set<(connection: SmtpConnection) => void>()
  #connections = 0
  #closed = false

  constructor(readonly account: SmtpAccount) {}

  get isIdle(): boolean {
    return this.#free.length === this.#connections && this.#waiting.size === 0
  }

  /**
   * @param application the id of the application that sends the mail
   * @returns the reply of the server
   * @throws SmtpTimeout, UnusableSender, nodemailer's errors
   */
  async send(mail: SignableMail, deadline: Deadline, application?: number): Promise<string> {
    const connection = await this.#freeConnection(deadline)
    try {
      return await connection.send(mail, deadline, application)
    } finally {
      this.#release(connection)
    }
  }

  close() {
    this.#closed = true
    for (const connection of this.#free) connection.close()
  }

  #freeConnection(deadline: Deadline): SmtpConnection | Promise<SmtpConnection> {
    const free = this.#free.pop()
    if (free) return free
    if (this.#connections < mailConfig.connections) {
      this.#connections++
      return new SmtpConnection(this.account)
    }
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(proceed)
        reject(new SmtpTimeout('No connection to the server became free in time'))
      }, deadline.remainingMs)
      const proceed = (connection: SmtpConnection) => {
        clearTimeout(giveUp)
        resolve(connection)
      }
      this.#waiting.add(proceed)
    })
  }

  #release(connection: SmtpConnection) {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next(connection)
      return
    }
    this.#free.push(connection)
    if (this.#closed) connection.close()
  }
}
