import type { Deadline } from '#core/values/deadline'
import { FairQueue } from '#core/values/fair_queue'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { SmtpConnection, SmtpTimeout } from '#app/delivery/mail/smtp_connection'
import mailConfig from '#config/mail'

/** The id of the application that sends a mail; undefined for the platform's own mails. */
type Sender = number | undefined

interface WaitingMail {
  sender: Sender
  proceed: (connection: SmtpConnection) => void
  hasTimedOut: boolean
}

/**
 * Mails wait here and not in nodemailer, so that a mail that has timed out is never sent.
 * Applications take turns (delivery.md#smtp-connections).
 */
export class SmtpPool {
  /** Last in, first out, so that unused connections can close */
  readonly #free: SmtpConnection[] = []
  readonly #waiting = new FairQueue<WaitingMail>()
  /** Connections in use. */
  readonly #used = new Map<Sender, number>()
  #connections = 0
  #closed = false

  constructor(readonly account: SmtpAccount) {}

  get isIdle(): boolean {
    return this.#free.length === this.#connections && this.#waiting.isEmpty
  }

  /**
   * @param application the id of the application that sends the mail
   * @returns the reply of the server
   * @throws SmtpTimeout, UnusableSender, nodemailer's errors
   */
  async send(mail: SignableMail, deadline: Deadline, application?: number): Promise<string> {
    const connection = await this.#freeConnection(deadline, application)
    const startedAt = performance.now()
    try {
      return await connection.send(mail, deadline, application)
    } finally {
      this.#waiting.recordUse({ group: application }, performance.now() - startedAt)
      this.#release(connection, application)
    }
  }

  close() {
    this.#closed = true
    for (const connection of this.#free) connection.close()
  }

  #freeConnection(deadline: Deadline, sender: Sender): Promise<SmtpConnection> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.hasTimedOut = true
        reject(new SmtpTimeout('No connection to the server became free in time'))
      }, deadline.remainingMs)
      const proceed = (connection: SmtpConnection) => {
        clearTimeout(giveUp)
        resolve(connection)
      }
      const waiting: WaitingMail = { sender, proceed, hasTimedOut: false }
      this.#waiting.add(waiting, { group: sender })
      this.#serve()
    })
  }

  /** Gives the free connections to mails that wait. */
  #serve() {
    while (this.#free.length > 0 || this.#connections < mailConfig.connections) {
      const next = this.#waiting.take((sender) => this.#mayUseOneMore(sender as Sender))
      if (!next) return
      if (next.hasTimedOut) continue
      this.#used.set(next.sender, this.#usedBy(next.sender) + 1)
      next.proceed(this.#free.pop() ?? this.#open())
    }
  }

  #open(): SmtpConnection {
    this.#connections++
    return new SmtpConnection(this.account)
  }

  #usedBy(sender: Sender): number {
    return this.#used.get(sender) ?? 0
  }

  #mayUseOneMore(sender: Sender): boolean {
    return this.#usedBy(sender) < mailConfig.connectionsPerApplication
  }

  #release(connection: SmtpConnection, sender: Sender) {
    const used = this.#usedBy(sender) - 1
    if (used > 0) this.#used.set(sender, used)
    else this.#used.delete(sender)
    this.#free.push(connection)
    this.#serve()
    if (this.#closed) this.close()
  }
}
