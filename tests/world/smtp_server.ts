import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { Certificate } from '#tests/world/certificate'

export type Stage = 'CONNECT' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA'

/** A number is the status of a refusal, `stall` never responds, `cut` drops the connection. */
export type Reaction = number | 'stall' | 'cut' | undefined

export interface ReceivedMail {
  from: string
  to: string[]
  raw: Buffer
  parsed: ParsedMail
}

export interface SmtpTlsOptions {
  certificate: Certificate
  /** TLS from the first byte; otherwise the server offers STARTTLS. */
  implicit?: boolean
}

/** An SMTP server on loopback that accepts mail unless a test makes it misbehave. */
export class TestSmtpServer {
  readonly mails: ReceivedMail[] = []
  readonly logins: { user: string; password: string }[] = []
  connections = 0
  /** Decides at every stage; `address` is the recipient. */
  react: (stage: Stage, address?: string) => Reaction | Promise<Reaction> = () => undefined
  /** The text of a refusal. */
  refusal?: string
  /** Delays acceptance. */
  delayMs = 0
  readonly secured: boolean[] = []
  readonly #sockets = new Set<Socket>()
  readonly #tls: SmtpTlsOptions | undefined
  #server!: SMTPServer
  #port = 0

  /** @param tls without it, the server offers plain text only */
  constructor(tls?: SmtpTlsOptions) {
    this.#tls = tls
  }

  get port() {
    return this.#port
  }

  get open() {
    return this.#sockets.size
  }

  mailsTo(email: string) {
    return this.mails.filter(({ to }) => to.includes(email))
  }

  async start() {
    this.#server = new SMTPServer({
      hideSTARTTLS: this.#tls === undefined,
      secure: this.#tls?.implicit,
      ...this.#tls?.certificate,
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onConnect: (_, done) => {
        this.connections++
        this.#reply('CONNECT', done)
      },
      onAuth: ({ username, password }, _, done) => {
        this.logins.push({ user: username ?? '', password: password ?? '' })
        this.#reply('AUTH', (error) => (error ? done(error) : done(null, { user: username ?? '' })))
      },
      onMailFrom: (_, __, done) => this.#reply('MAIL', done),
      onRcptTo: ({ address }, _, done) => this.#reply('RCPT', done, address),
      onData: (stream, { envelope, secure }, done) => {
        const to = envelope.rcptTo.map(({ address }) => address)
        void this.#receive(stream).then((raw) => {
          if (raw === null) return
          this.#reply(
            'DATA',
            (error) => {
              if (error) return done(error)
              void simpleParser(raw).then(async (parsed) => {
                if (this.delayMs > 0) await pause(this.delayMs)
                const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
                this.mails.push({ from, to, raw, parsed })
                this.secured.push(secure)
                done(null)
              })
            },
            to[0]
          )
        })
      },
    })
    this.#server.on('error', () => {})
    this.#server.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server.server, 'listening')
    this.#port = (this.#server.server.address() as AddressInfo).port
    return this
  }

  async stop() {
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }

  /** Drops all connections. */
  cut() {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #reply(stage: Stage, done: (error?: Error | null) => void, address?: string) {
    const reaction = await this.react(stage, address)
    if (reaction === undefined) done()
    else if (reaction === 'cut') this.cut()
    else if (reaction !== 'stall') {
      done(
        Object.assign(new Error(this.refusal ?? `refused at ${stage}`), { responseCode: reaction })
      )
    }
  }

  /** Null if the client leaves before the message is complete. */
  async #receive(stream: SMTPServerDataStream): Promise<Buffer | null> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of stream) chunks.push(chunk)
      return Buffer.concat(chunks)
    } catch {
      return null
    }
  }
}
