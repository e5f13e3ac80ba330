import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { ExpectationFailed, MalformedRequest } from '#core/exceptions/problems'
import { Problem } from '#core/exceptions/problem'
import { sendProblem } from '#core/exceptions/raw_problem'
import { TrackedResponse } from '#core/http/tracked_response'
import { ArrivingRequest } from '#core/http/arriving_request'
import { Connection } from '#core/http/connection'
import { loadAllowedOrigins } from '#core/http/cross_origin'
import { rejectUnreadableRequest } from '#core/http/reject_unreadable_request'
import { clientNetwork, isTrustedProxy, plainAddress } from '#core/network/client_address'
import limits from '#config/limits'

const CHECK_INTERVAL_MS = 1_000

/** Answers a request. The returned promise settles when all work is done. */
type Handle = (request: IncomingMessage, response: TrackedResponse) => unknown

/** A listener with the limits of `config/limits.ts`. Even invalid HTTP gets a problem. */
export function createHttpServer(handle: Handle): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // Checked below, because Node would answer without a body.
      requireHostHeader: false,
      IncomingMessage: ArrivingRequest,
      ServerResponse: TrackedResponse,
    },
    (request, response) => Connection.of(request.socket)?.accept(request, response)
  )
  const begin = (request: IncomingMessage, response: TrackedResponse) => {
    try {
      return (response.work = handle(request, response))
    } catch (error) {
      // There is no place for the request, and no context yet.
      if (!(error instanceof Problem)) throw error
      sendProblem(request, response, error)
    }
  }
  const serve = (request: IncomingMessage, response: TrackedResponse) => {
    if (lacksHost(request)) {
      const detail = 'The request has no Host header'
      const headers = { connection: 'close' }
      sendProblem(request, response, new MalformedRequest({ detail, headers }))
      return
    }
    const originsLoaded = loadAllowedOrigins(request)
    if (originsLoaded === undefined) begin(request, response)
    else response.work = originsLoaded.then(() => begin(request, response))
  }
  // Without `dropMaxConnection`, a worker would pass the connection on to another one.
  Object.assign(server, { maxConnections: limits.connections, dropMaxConnection: true })
  server.setTimeout(limits.socketTimeoutMs)
  server.on(
    'connection',
    limitPerAddress((socket) => new Connection(socket, serve))
  )
  server.on('clientError', rejectUnreadableRequest)
  server.on('checkExpectation', (request, response) =>
    sendProblem(request, response, new ExpectationFailed({ headers: { connection: 'close' } }))
  )
  return server
}

/** Trusted proxies forward for many clients, so they are exempt. */
function limitPerAddress(accept: (socket: Socket) => void) {
  const maxPerAddress = Math.max(1, Math.floor(limits.connections * limits.perCaller))
  const counts = new Map<string, number>()
  return (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    if (isTrustedProxy(address)) return accept(socket)
    const key = clientNetwork(address)
    const count = counts.get(key) ?? 0
    if (count >= maxPerAddress) return void socket.destroy()
    counts.set(key, count + 1)
    socket.once('close', () => {
      const remaining = counts.get(key)! - 1
      if (remaining === 0) counts.delete(key)
      else counts.set(key, remaining)
    })
    accept(socket)
  }
}

function lacksHost({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor === 1
}
