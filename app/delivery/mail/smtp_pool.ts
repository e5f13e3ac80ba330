import { LRUCache } from 'lru-cache'
import type { Deadline } from '#core/values/deadline'
import { FairQueue } from '#core/values/fair_queue'
import { RecentUse } from '#core/values/recent_use'
import { DomainPace } from '#app/delivery/mail/domain_pace'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { MailNotOffered, SmtpConnection } from '#app/delivery/mail/smtp_connection'
import { mailDomainOf } from '#app/delivery/values/mail_domain'
import mailConfig from '#config/mail'

const { connections, connectionsPerApplication, extraConnections } = mailConfig
const { promptConnections, slowForMs, usageHalfLifeMs } = mailConfig

/** The id of the application that sends a mail; undefined for the platform's own mails. */
type Sender = number | undefined

/** Whose mail goes where. */
interface Route {
  sender: Sender
  /** Of the recipient's address, without subdomains */
  domain: string
}

interface WaitingMail extends Route {
  proceed: (connection: SmtpConnection) => void
}

interface Use extends Route {
  since: number
}

const MOST_SLOW = 1_000
const WATCH_EVERY_MS = 500
/** If more of a sender's mails were slow lately, the next one probably is. */
const SLOW_SHARE = 0.5

/**
 * Mails wait here and not in nodemailer, so that a mail that has timed out is never sent.
 * Applications take turns (delivery.md#smtp-connections).
 */
export class SmtpPool {
  /** Last in, first out, so that unused connections can close */
  readonly #free: SmtpConnection[] = []
  readonly #waiting = new FairQueue<WaitingMail>(usageHalfLifeMs)
  readonly #inUse = new Map<SmtpConnection, Use>()
  /** Routes of mails that took long lately. */
  readonly #slowRoutes = new LRUCache<string, true>({ max: MOST_SLOW, ttl: slowForMs })
  /** How many mails of each sender there were lately, and were slow on routes not known as such. */
  readonly #counts = { all: new RecentUse(usageHalfLifeMs), slow: new RecentUse(usageHalfLifeMs) }
  #connections = 0
  #isWatching = false
  #closed = false

  constructor(
    readonly account: SmtpAccount,
    private readonly pace = new DomainPace()
  ) {}

  get isIdle(): boolean {
    return this.#free.length === this.#connections && this.#waiting.isEmpty
  }

  /**
   * @param application the id of the application that sends the mail
   * @returns the reply of the server
   * @throws SmtpTimeout, UnusableSender, nodemailer's errors, UnconfirmedMail with one of these
   */
  async send(mail: SignableMail, deadline: Deadline, application?: number): Promise<string> {
    const route = { sender: application, domain: domainOf(mail) }
    const connection = await this.#freeConnection(deadline, route)
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

  #freeConnection(deadline: Deadline, route: Route): Promise<SmtpConnection> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#waiting.remove(waiting, ownerOf(route))
        reject(new MailNotOffered('No connection to the server became free in time'))
      }, deadline.waitMs)
      const proceed = (connection: SmtpConnection) => {
        clearTimeout(giveUp)
        resolve(connection)
      }
      const waiting: WaitingMail = { ...route, proceed }
      this.#waiting.add(waiting, ownerOf(route))
      this.#serve()
      this.#watch()
    })
  }

  /** Other mails take long only after a while, and then there are more connections. */
  #watch() {
    if (this.#isWatching || this.#waiting.isEmpty) return
    this.#isWatching = true
    setTimeout(() => {
      this.#isWatching = false
      this.#serve()
      this.#watch()
    }, WATCH_EVERY_MS)
  }

  /** Gives connections to mails that wait. */
  #serve() {
    for (;;) {
      const next = this.#waiting.take((sender, domain) =>
        this.#mayUseOneMore({ sender, domain } as Route)
      )
      if (!next) return
      const { proceed, ...route } = next
      const connection = this.#free.pop() ?? this.#open()
      this.#inUse.set(connection, { ...route, since: performance.now() })
      proceed(connection)
    }
  }

  #open(): SmtpConnection {
    this.#connections++
    return new SmtpConnection(this.account)
  }

  /** The last connections are for mails that will probably not take long. */
  #mayUseOneMore(route: Route): boolean {
    const inUse = [...this.#inUse.values()]
    const own = inUse.filter(({ sender }) => sender === route.sender)
    const { slowMs } = this.pace
    const takesLong = ({ since }: Use) => performance.now() - since > slowMs
    const long = own.filter(takesLong)
    if (own.length - long.length >= connectionsPerApplication) return false
    const isPrompt = this.#isPrompt(route, inUse.filter(takesLong))
    const most = connectionsPerApplication + (isPrompt ? promptConnections : 0)
    if (own.length >= most) return false
    // Slow domains leave one to other mails of the application.
    const toSlow = own.filter((use) => this.#isSlowDomain(use, long)).length
    const isLast = toSlow >= connectionsPerApplication - 1
    if (isLast && this.#isSlowDomain(route, long)) return false
    if (inUse.length < connections - 1) return true
    if (!isPrompt && this.#isSlow(route, long)) return false
    if (inUse.length < connections) return true
    return inUse.length < connections + extraConnections && inUse.every(takesLong)
  }

  /** @param long mails of all senders that take long at the moment */
  #isPrompt(route: Route, long: Use[]): boolean {
    if (!this.pace.isPrompt(route.domain) || this.#slowRoutes.has(nameOf(route))) return false
    return !long.some(({ domain }) => domain === route.domain)
  }

  #isSlowDomain(route: Route, long: Use[] = []): boolean {
    const isLong = long.some(({ domain }) => domain === route.domain)
    return isLong || this.#slowRoutes.has(nameOf(route)) || this.pace.isSlow(route.domain)
  }

  /** @param long mails of the sender that take long at the moment */
  #isSlow(route: Route, long: Use[]): boolean {
    if (this.#isSlowDomain(route, long)) return true
    const more = long.filter((use) => !this.#isSlowDomain(use)).length
    const slow = this.#counts.slow.of(route.sender) + more
    return slow > (this.#counts.all.of(route.sender) + more) * SLOW_SHARE
  }

  #release(connection: SmtpConnection) {
    const use = this.#inUse.get(connection)!
    this.#inUse.delete(connection)
    const now = performance.now()
    // Of the application alone: its domains alternate.
    this.#waiting.recordUse({ group: use.sender }, now - use.since)
    this.#count(use, now - use.since > this.pace.slowMs)
    this.pace.record(use.domain, use.since, now)
    this.#free.push(connection)
    this.#serve()
    if (this.#closed) this.close()
  }

  /** One slow domain does not make all mails of a sender slow. */
  #count(use: Use, isLong: boolean) {
    if (!isLong || !this.#isSlowDomain(use)) {
      this.#counts.all.add(use.sender, 1)
      if (isLong) this.#counts.slow.add(use.sender, 1)
    }
    if (isLong) this.#slowRoutes.set(nameOf(use), true)
  }
}

const ownerOf = ({ sender, domain }: Route) => ({ group: sender, member: domain })
const nameOf = ({ sender, domain }: Route) => `${sender} ${domain}`

function domainOf({ to }: SignableMail): string {
  const [first] = [to ?? ''].flat()
  const address = typeof first === 'string' ? first : first.address
  return mailDomainOf(address)
}
