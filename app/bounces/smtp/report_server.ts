import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import logger from '@adonisjs/core/services/logger'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { describeError } from '#core/exceptions/describe_error'
import { WindowCounter } from '#core/network/window_counter'
import { DeliveryInProgress, receiveReport } from '#app/bounces/actions/receive_report'
import { bounceReports } from '#app/bounces/metrics'
import { ConnectionGuard } from '#app/bounces/smtp/connection_guard'
import { MessageStart } from '#app/bounces/smtp/message_start'
import { SmtpRefusal } from '#app/bounces/smtp/smtp_refusal'
import {
  type SignedNotification,
  readBounceAddress,
} from '#app/delivery/mail/signed_bounce_address'
import bouncesConfig from '#config/bounces'

/** Commands that are not needed here, including jokes of the library. */
const DISABLED_COMMANDS = ['AUTH', 'VRFY', 'EXPN', 'HELP', 'WIZ', 'SHELL', 'KILL', 'DEBUG']

const CLOSE_MS = 1_000

/** Node reads 64 KiB at a time, which can have a line with two dots every three bytes. */
const MAX_UNSEEN_PIECES = 65_536 / 3

/**
 * Accepts mails to envelope senders that this service has signed, and nothing else. Sends nothing
 * (suppressions.md#limits-of-the-listener).
 */
export class ReportServer {
  readonly #server: SMTPServer
  readonly #guard: ConnectionGuard
  readonly #messages = new WindowCounter()
  /** By notification: whoever got one mail could else keep the others' reports away. */
  readonly #repetitions = new WindowCounter()
  readonly #pieces = new WindowCounter()
  readonly #refused = new WeakMap<SMTPServerSession, number>()
  /** By connection, since its last message */
  readonly #commands = new Map<string, number>()
  readonly #inProgress = new Set<Promise<unknown>>()

  constructor() {
    const { tls, maxSize, maxRecipients, idleMs } = bouncesConfig
    this.#server = new SMTPServer({
      ...tls,
      disabledCommands: tls === null ? ['STARTTLS', ...DISABLED_COMMANDS] : DISABLED_COMMANDS,
      authOptional: true,
      disableReverseLookup: true,
      size: maxSize,
      maxRecipients,
      maxCommandLength: 2_048,
      socketTimeout: idleMs,
      closeTimeout: CLOSE_MS,
      // The library reports single commands only to its logger.
      logger: {
        debug: ({ tnx, cid }: { tnx?: string; cid?: string }) => {
          if (tnx === 'command') this.#countCommand(cid!)
        },
      },
      onConnect: (session, done) => done(this.#connectionRefusal(session)),
      onClose: ({ id }) => this.#commands.delete(id),
      onRcptTo: ({ address }, session, done) => done(this.#recipientRefusal(address, session)),
      onData: (stream, session, done) => {
        this.#commands.delete(session.id)
        const receiving = this.#receive(stream, session).then(
          () => done(),
          (error: Error) => {
            done(error)
            if (!stream.readableEnded) this.#guard.end(session)
          }
        )
        this.#inProgress.add(receiving)
        void receiving.finally(() => {
          this.#inProgress.delete(receiving)
          this.#guard.setBusy(session, false)
        })
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

  #connectionRefusal(session: SMTPServerSession): SmtpRefusal | null {
    const { maxConnections, maxConnectionsPerClient } = bouncesConfig
    if (this.#guard.countAround(session.remoteAddress) > maxConnectionsPerClient) {
      return new SmtpRefusal(421, 'Too many connections from your address, try again later')
    }
    const hasRoom = this.#guard.count <= maxConnections || this.#guard.makeRoomFor(session)
    return hasRoom ? null : new SmtpRefusal(421, 'Too many connections, try again later')
  }

  /** Only a message to a signed address counts, so that nobody else uses up the limit. */
  #messageRefusal({ id }: SignedNotification): SmtpRefusal | null {
    const { messagesPerMinute, repetitionsPerMinute, piecesPerMinute } = bouncesConfig
    const isTooMuch =
      this.#repetitions.add(String(id)) > repetitionsPerMinute ||
      this.#pieces.count('') > piecesPerMinute ||
      this.#messages.add('') > messagesPerMinute
    return isTooMuch ? new SmtpRefusal(451, 'Too many messages, try again in a minute') : null
  }

  #countCommand(id: string) {
    const count = (this.#commands.get(id) ?? 0) + 1
    this.#commands.set(id, count)
    if (count <= bouncesConfig.maxCommands) return
    for (const connection of this.#server.connections) {
      if (connection.id === id) connection.send(421, 'Too many commands')
    }
  }

  #recipientRefusal(address: string, session: SMTPServerSession): SmtpRefusal | null {
    const signed = readBounceAddress(address)
    if (signed !== null) {
      const isFirst = session.envelope.rcptTo.length === 0
      const refusal = isFirst ? this.#messageRefusal(signed) : null
      if (refusal === null) this.#guard.setBusy(session, true)
      return refusal
    }
    // Counted per connection, not per client: a relay may pass on forged and genuine reports.
    const refused = (this.#refused.get(session) ?? 0) + 1
    this.#refused.set(session, refused)
    return refused >= bouncesConfig.maxRefusals
      ? new SmtpRefusal(421, 'Too many refused recipients')
      : new SmtpRefusal(550, 'No such address here')
  }

  /** @throws SmtpRefusal */
  async #receive(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const mail = await this.#read(stream)
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

  /**
   * The start of a message.
   * @throws SmtpRefusal if it is too large or in too many pieces
   */
  async #read(stream: SMTPServerDataStream): Promise<Buffer> {
    const start = new MessageStart(stream)
    try {
      await pipeline(stream, start)
      return start.content
    } catch (error) {
      // The library goes on to take apart what it has already received.
      if (error instanceof SmtpRefusal) this.#pieces.add('', MAX_UNSEEN_PIECES)
      throw error
    } finally {
      this.#pieces.add('', start.pieces)
    }
  }
}
