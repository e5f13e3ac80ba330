import { SMTPServer, type SMTPServerAddress } from 'smtp-server'
import type { MailStore } from './mail_store.ts'

const MAX_MAIL_BYTES = 10 * 1024 * 1024

/** Accepts every mail without authentication or TLS, so it must listen on loopback only. */
export function smtpServer(store: MailStore): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    async onData(stream, session, callback) {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        const { mailFrom, rcptTo } = session.envelope
        await store.receive(Buffer.concat(chunks), {
          from: mailFrom ? (mailFrom as SMTPServerAddress).address : '',
          to: rcptTo.map(({ address }) => address),
        })
        callback()
      } catch (error) {
        callback(error as Error)
      }
    },
  })
  // Without a listener, a dropped connection would end the process.
  server.on('error', () => {})
  return server
}
