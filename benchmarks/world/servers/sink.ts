import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { ready } from './ready.ts'

/** A mail server that accepts everything and only keeps counts. */

export interface Taken {
  mails: number
  signed: number
  bytes: number
}

let taken: Taken = { mails: 0, signed: 0, bytes: 0 }

const server = new SMTPServer({
  hideSTARTTLS: true,
  authOptional: true,
  disableReverseLookup: true,
  onData: (stream, _, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const mail = Buffer.concat(chunks)
      taken.mails++
      taken.bytes += mail.length
      if (mail.includes('DKIM-Signature: ')) taken.signed++
      done()
    })
  },
})
// A connection that ends with its process is no news.
server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
process.on('message', () => {
  process.send!({ kind: 'taken', taken })
  taken = { mails: 0, signed: 0, bytes: 0 }
})
ready((server.server.address() as AddressInfo).port)
