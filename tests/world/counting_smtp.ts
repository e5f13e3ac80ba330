import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server that takes everything and remembers only who got which message when: for many mails. */
export class CountingSmtp {
  /** `Message-ID`s by recipient, in the order they came. */
  readonly messageIds = new Map<string, string[]>()
  /** When each mail came, in milliseconds. */
  readonly times: number[] = []
  #server!: SMTPServer

  get port() {
    return (this.#server.server.address() as AddressInfo).port
  }

  async start() {
    this.#server = new SMTPServer({
      hideSTARTTLS: true,
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const [, id = ''] = /^message-id: (.+)$/im.exec(Buffer.concat(chunks).toString()) ?? []
          this.times.push(performance.now())
          for (const { address } of envelope.rcptTo) {
            this.messageIds.set(address, [...(this.messageIds.get(address) ?? []), id.trim()])
          }
          done()
        })
      },
    })
    // A killed process leaves its connections without a word.
    this.#server.on('error', () => {})
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server.server, 'listening')
    return this
  }

  async stop() {
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }
}
