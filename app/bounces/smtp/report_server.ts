import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import logger from '@adonisjs/core/services/logger'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { describeError } from '#core/exceptions/describe_error'
import { WindowCounter } from '#core/network/window_counter'
import { DeliveryInProgress, receiveReport } from '#app/bounces/actions/receive_report'
import { bounceReports } from '#app/bounces/metrics'
import { ConnectionGuard } from '#app/bounces/smtp/connection_guard'
import { SmtpRefusal } from '#app/bounces/smtp/smtp_refusal'
import { readBounceAddress } from '#app/delivery/mail/bounce_address'
import bouncesConfig from '#config/bounces'

/** Commands that are not needed here, including jokes of the library. */
const DISABLED_COMMANDS = ['AUTH', 'VRFY', 'EXPN', 'HELP', 'WIZ', 'SHELL', 'KILL', 'DEBUG']

const CLOSE_MS = 1_000

/**
 * Accepts mails to envelope senders that this service has signed, and nothing else. Sends nothing
 * (suppressions.md#limits-of-the-listener).
 */
export class ReportServer {
  readonly #server: SMTPServer
  readonly #guard: ConnectionGuard
  readonly #messages = new WindowCounter()
  readonly #refused = new WeakMap<SMTPServerSession, number>()
  readonly #inProgress = new Set<Promise<unknown>>()

  constructor() {
    const { tls, maxSize, maxConnections, maxRecipients, idleMs } = bouncesConfig
    this.#server = new SMTPServer({
      ...tls,
      disabledCommands: tls === null ? ['STARTTLS', ...DISABLED_COMMANDS] : DISABLED_COMMANDS,
      authOptional: true,
      disableReverseLookup: true,
      size: maxSize,
      maxClients: maxConnections,
      maxRecipients,
      maxCommandLength: 2_048,
      socketTimeout: idleMs,
      closeTimeout: CLOSE_MS,
      onConnect: (session, done) => done(this.#connectionRefusal(session)),
      onMailFrom: (_, __, done) => done(this.#messageRefusal()),
      onRcptTo: ({ address }, session, done) => done(this.#recipientRefusal(address, session)),
      onData: (stream, session, done) => {
        const receiving = this.#receive(stream, session).then(() => done(), done)
        this.#inProgress.add(receiving)
        void receiving.finally(() => this.#inProgress.delete(receiving))
      },
    })
    // Mistakes of clients are not errors of this service.
    this.#server.on('error', (error) =>
      logger.debug({ error: describeError(error) }, 'An SMTP connection failed')
    )
    this.#guard = new ConnectionGuard(this.#server.server)
  }

  /** @returns the port. @throws Error if it is taken */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host)
    await once(this.#server.server, 'listening')
    return (this.#server.server.address() as AddressInfo).port
  }

  /** Lets current reports finish. */
  async close() {
    this.#guard.stop()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
    await Promise.all(this.#inProgress)
  }

  #connectionRefusal({ remoteAddress }: SMTPServerSession): SmtpRefusal | null {
    return this.#guard.countOf(remoteAddress) > bouncesConfig.maxConnectionsPerClient
      ? new SmtpRefusal(421, 'Too many connections from your address, try again later')
      : null
  }

  #messageRefusal(): SmtpRefusal | null {
    return this.#messages.add('') > bouncesConfig.messagesPerMinute
      ? new SmtpRefusal(451, 'Too many messages, try again in a minute')
      : null
  }

  #recipientRefusal(address: string, session: SMTPServerSession): SmtpRefusal | null {
    if (readBounceAddress(address) !== null) return null
    // Counted per connection, not per client: a relay may pass on forged and genuine reports.
    const refused = (this.#refused.get(session) ?? 0) + 1
    this.#refused.set(session, refused)
    return refused >= bouncesConfig.maxRefusals
      ? new SmtpRefusal(421, 'Too many refused recipients')
      : new SmtpRefusal(550, 'No such address here')
  }

  /** @throws SmtpRefusal */
  async #receive(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const mail = await this.#read(stream, session)
    try {
      for (const { address } of session.envelope.rcptTo) {
        const signed = readBounceAddress(address)
        const kind = signed === null ? 'ignored' : await receiveReport(mail, signed)
        bounceReports.inc({ kind })
      }
    } catch (error) {
      const isExpected = error instanceof DeliveryInProgress
      if (!isExpected)
        logger.error({ error: describeError(error) }, 'A report about a mail could not be recorded')
      // The client keeps it and tries again.
      throw new SmtpRefusal(451, 'The report could not be recorded, try again later')
    }
  }

  /** The start of a message. The connection of one that is too large is cut. */
  async #read(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Buffer> {
    const chunks: Buffer[] = []
    let missing = bouncesConfig.maxRead
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (stream.sizeExceeded) {
        this.#guard.cut(session)
        throw new SmtpRefusal(552, 'The message is too large')
      }
      if (missing > 0) chunks.push(chunk.subarray(0, missing))
      missing -= chunk.length
    }
    return Buffer.concat(chunks)
  }
}
