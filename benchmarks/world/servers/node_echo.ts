import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ready } from './ready.ts'

/** The floor: Node's own HTTP server, a JSON body in, the same JSON out. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      const echo = JSON.stringify(body)
      response
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(echo),
        })
        .end(echo)
    })
}).listen(0, '127.0.0.1')

await once(server, 'listening')
ready((server.address() as AddressInfo).port)
