import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** An SMTP server for many mails: it only remembers who received which message when. */
export class CountingSmtp {
  /** `Message-ID`s by recipient, in order of arrival. */
  readonly messageIds = new Map<string, string[]>()
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
    // A killed process drops its connections.
    this.#server.on('error', () => {})
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server.server, 'listening')
    return this
  }

  async stop() {
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }
}
