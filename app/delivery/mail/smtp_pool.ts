import type { Deadline } from '#core/values/deadline'
import { FairQueue } from '#core/values/fair_queue'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { SmtpConnection, SmtpTimeout } from '#app/delivery/mail/smtp_connection'
import mailConfig from '#config/mail'

const { connections, connectionsPerApplication, extraConnections } = mailConfig

/** The id of the application that sends a mail; undefined for the platform's own mails. */
type Sender = number | undefined

interface WaitingMail {
  sender: Sender
  proceed: (connection: SmtpConnection) => void
}

interface Use {
  sender: Sender
  since: number
}

/**
 * Mails wait here and not in nodemailer, so that a mail that has timed out is never sent.
 * Applications take turns (delivery.md#smtp-connections).
 */
export class SmtpPool {
  /** Last in, first out, so that unused connections can close */
  readonly #free: SmtpConnection[] = []
  readonly #waiting = new FairQueue<WaitingMail>(mailConfig.usageHalfLifeMs)
  readonly #inUse = new Map<SmtpConnection, Use>()
  /** When the last mail that took long had ended: a `performance.now()` timestamp. */
  readonly #lastSlow = new Map<Sender, number>()
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

  #freeConnection(deadline: Deadline, sender: Sender): Promise<SmtpConnection> {
    return new Promise((resolve, reject) => {
      // Other mails take long only after a while.
      const tryAgain = setInterval(() => this.#serve(), mailConfig.slowMailMs)
      const giveUp = setTimeout(() => {
        clearInterval(tryAgain)
        this.#waiting.remove(waiting, { group: sender })
        reject(new SmtpTimeout('No connection to the server became free in time'))
      }, deadline.remainingMs)
      const proceed = (connection: SmtpConnection) => {
        clearInterval(tryAgain)
        clearTimeout(giveUp)
        resolve(connection)
      }
      const waiting: WaitingMail = { sender, proceed }
      this.#waiting.add(waiting, { group: sender })
      this.#serve()
    })
  }

  /** Gives connections to mails that wait. */
  #serve() {
    for (;;) {
      const next = this.#waiting.take((sender) => this.#mayUseOneMore(sender as Sender))
      if (!next) return
      const connection = this.#free.pop() ?? this.#open()
      this.#inUse.set(connection, { sender: next.sender, since: performance.now() })
      next.proceed(connection)
    }
  }

  #open(): SmtpConnection {
    this.#connections++
    return new SmtpConnection(this.account)
  }

  /** The last connections are for mails that will probably not take long. */
  #mayUseOneMore(sender: Sender): boolean {
    const inUse = [...this.#inUse.values()]
    const own = inUse.filter((use) => use.sender === sender)
    if (own.length >= connectionsPerApplication) return false
    if (inUse.length < connections - 1) return true
    if (this.#wasSlow(sender) || own.some(takesLong)) return false
    if (inUse.length < connections) return true
    return inUse.length < connections + extraConnections && inUse.every(takesLong)
  }

  #wasSlow(sender: Sender): boolean {
    const at = this.#lastSlow.get(sender)
    return at !== undefined && performance.now() - at < mailConfig.slowForMs
  }

  #release(connection: SmtpConnection) {
    const use = this.#inUse.get(connection)!
    this.#inUse.delete(connection)
    this.#waiting.recordUse({ group: use.sender }, performance.now() - use.since)
    if (takesLong(use)) this.#lastSlow.set(use.sender, performance.now())
    this.#free.push(connection)
    this.#serve()
    if (this.#closed) this.close()
  }
}

const takesLong = ({ since }: Use) => performance.now() - since > mailConfig.slowMailMs
