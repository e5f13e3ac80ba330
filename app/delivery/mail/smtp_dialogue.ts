import type { Socket } from 'node:net'

/** In bytes. A reply has a few lines. */
const LONGEST_REPLY = 65_536

export interface Envelope {
  from: string | false
  to: string[]
}

export interface Extensions {
  /** Whether the server reads commands before it has replied to earlier ones (RFC 2920) */
  pipelining: boolean
  /** Whether it knows addresses with other letters than those of ASCII (RFC 6531) */
  utf8: boolean
}

/** What the server offers, by its reply to EHLO. */
export const extensionsIn = (reply: string): Extensions => ({
  pipelining: /[ -]PIPELINING\b/i.test(reply),
  utf8: /[ -]SMTPUTF8\b/i.test(reply),
})

export class ReplyTooLong extends Error {
  override name = 'ReplyTooLong'

  constructor() {
    super('The reply of the server is too long')
  }
}

/** As nodemailer reports what a server refuses. */
class SmtpRefusal extends Error {
  override name = 'SmtpRefusal'
  readonly code: string
  readonly responseCode?: number

  constructor(
    readonly command: string,
    readonly response: string,
    isAboutMessage = false
  ) {
    super(`The server refused ${command}: ${response}`)
    this.code = isAboutMessage ? 'EMESSAGE' : 'EENVELOPE'
    const [code] = /^\d+/.exec(response) ?? []
    if (code !== undefined) this.responseCode = Number(code)
  }
}

interface Command {
  name: string
  line: string
  /** The first digits of replies that accept the command */
  accepted: string
}

/**
 * Sends mails, one at a time, over a connection that has been opened, secured and authenticated.
 * Commands go out together if the server allows it, and a mail in one piece: nodemailer waits for
 * four replies, and passes each mail through streams (`benchmarks/delivery`).
 */
export class SmtpDialogue {
  readonly #socket: Socket
  readonly #extensions: Extensions
  readonly #fail: (error: Error) => void
  /** Those who wait for replies, in the order of the commands */
  #expecting: ((reply: string) => void)[] = []
  /** Of a reply that has not ended, a character for each byte */
  #lines: string[] = []
  #rest = ''
  #size = 0
  #awaitsConfirmation = false

  /**
   * @param socket read by nobody else
   * @param fail ends the connection when the server says what nobody asked for
   */
  constructor(socket: Socket, extensions: Extensions, fail: (error: Error) => void) {
    this.#socket = socket
    this.#extensions = extensions
    this.#fail = fail
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Whether the server may have accepted a mail without having said so. */
  get awaitsConfirmation(): boolean {
    return this.#awaitsConfirmation
  }

  /**
   * Returns the reply of the server. After an error, the connection can be in any state. Does not
   * settle if the connection is lost.
   */
  async send(envelope: Envelope, raw: string): Promise<string> {
    const commands = this.#commandsFor(envelope)
    const groups = this.#extensions.pipelining ? [commands] : commands.map((one) => [one])
    for (const group of groups) {
      const replies = this.#say(group.map(({ line }) => line))
      for (const [index, { name, accepted }] of group.entries()) {
        const reply = await replies[index]
        if (!accepted.includes(reply.charAt(0))) throw new SmtpRefusal(name, reply)
      }
    }
    let isAnswered = false
    const [end] = this.#say([`${withDots(raw)}.`], () => (this.#awaitsConfirmation = !isAnswered))
    const reply = await end
    isAnswered = true
    this.#awaitsConfirmation = false
    if (!reply.startsWith('2')) throw new SmtpRefusal('DATA', reply, true)
    return reply
  }

  #commandsFor({ from, to }: Envelope): Command[] {
    const addresses = [from || '', ...to]
    if (addresses.some((address) => /[\r\n<>]/.test(address))) {
      throw Object.assign(new Error('An address is not usable'), { code: 'EENVELOPE' })
    }
    const needsUtf8 = addresses.some((address) => /[^\0-\x7F]/.test(address))
    const option = needsUtf8 && this.#extensions.utf8 ? ' SMTPUTF8' : ''
    const recipients = to.map((address) => ({
      name: 'RCPT TO',
      line: `RCPT TO:<${address}>`,
      accepted: '2',
    }))
    // Some servers, which do not know pipelining, say 250 instead of 354.
    const accepted = this.#extensions.pipelining ? '3' : '23'
    return [
      { name: 'MAIL FROM', line: `MAIL FROM:<${from || ''}>${option}`, accepted: '2' },
      ...recipients,
      { name: 'DATA', line: 'DATA', accepted },
    ]
  }

  /**
   * Returns the replies, one for each line.
   * @param sent is called when everything has been sent
   */
  #say(lines: string[], sent = () => {}): Promise<string>[] {
    const replies = lines.map(
      () => new Promise<string>((resolve) => void this.#expecting.push(resolve))
    )
    this.#socket.write(`${lines.join('\r\n')}\r\n`, (error) => {
      if (!error) sent()
    })
    return replies
  }

  #receive(chunk: Buffer) {
    this.#rest += chunk.toString('latin1')
    this.#size += chunk.length
    // A line in many small parts is not searched again with each of them.
    if (chunk.includes('\n')) this.#readLines()
    if (this.#size > LONGEST_REPLY) this.#fail(new ReplyTooLong())
  }

  #readLines() {
    const lines = this.#rest.split(/\r?\n/)
    this.#rest = lines.pop()!
    for (const line of lines) {
      if (line.trim() === '') continue
      this.#lines.push(line)
      if (/^\d+-/.test(line)) continue
      const reply = decoded(this.#lines.join('\n'))
      this.#lines = []
      this.#size = this.#rest.length
      const expecting = this.#expecting.shift()
      if (expecting) expecting(reply)
      else this.#fail(new Error('The server said something unexpected'))
    }
  }
}

/** A line with a dot alone ends the mail, so others get a second one (RFC 5321, 4.5.2). */
const withDots = (raw: string) =>
  (raw.startsWith('.') ? `.${raw}` : raw).replaceAll('\r\n.', '\r\n..')

/** Usually UTF-8; otherwise each byte is a character. */
function decoded(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  return text.includes('\uFFFD') ? bytes : text
}
