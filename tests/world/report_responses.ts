import cluster from 'node:cluster'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { watchResponse } from '#tests/world/watch_response'

/**
 * Preloaded into a service process: reports every response on its own ports to the tests, as a
 * line of JSON. Workers have no pipe to the tests.
 */
const PIPE = 3
const ports = new Set([process.env.PORT, process.env.INTERNAL_PORT].map(Number))

if (cluster.isPrimary) {
  const tests = new Socket({ fd: PIPE, readable: false }).on('error', () => {})
  tests.unref()
  subscribe('http.server.request.start', (message) => {
    const { request, response, server } = message as {
      request: IncomingMessage
      response: ServerResponse
      server: Server
    }
    const address = server.address()
    if (typeof address !== 'object' || !address || !ports.has(address.port)) return
    watchResponse(request, response, (seen) => tests.write(`${JSON.stringify(seen)}\n`))
  })
}
