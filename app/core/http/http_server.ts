import type { IncomingMessage, Server } from 'node:http'
import { ExpectationFailed } from '#core/exceptions/problems'
import { Problem } from '#core/exceptions/problem'
import { sendProblem } from '#core/exceptions/raw_problem'
import { writing, writingNothing } from '#core/database/writing_nothing'
import { TrackedResponse } from '#core/http/tracked_response'
import { ArrivingRequest } from '#core/http/arriving_request'
import { Connection } from '#core/http/connection'
import { ConnectionLimit } from '#core/http/connection_limit'
import { HttpListener } from '#core/http/http_listener'
import { loadAllowedOrigins } from '#core/http/cross_origin'
import { rejectUnreadableRequest } from '#core/http/reject_unreadable_request'
import { throughShortLane } from '#core/http/short_lane'
import { malformed, urlProblem } from '#core/http/url_limits'
import httpLimits from '#config/http_limits'

const CHECK_INTERVAL_MS = 1_000

/** Handles a request. The returned promise settles when all work is done. */
type Handle = (request: IncomingMessage, response: TrackedResponse) => unknown

/** A listener with the limits of `config/http_limits.ts`. Even invalid HTTP gets a problem. */
export function createHttpServer(handle: Handle): Server {
  const server = new HttpListener(
    {
      headersTimeout: httpLimits.headersMs,
      requestTimeout: httpLimits.requestMs,
      keepAliveTimeout: httpLimits.keepAliveMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // Checked below, because Node would respond without a body.
      requireHostHeader: false,
      IncomingMessage: ArrivingRequest,
      ServerResponse: TrackedResponse,
    },
    (request, response) => Connection.of(request.socket)?.accept(request, response)
  )
  const handleUsual = throughShortLane(handle)
  const respond: Handle = (request, response) => {
    // HEAD is safe (RFC 9110), but the framework runs the handler of GET.
    if (request.method === 'HEAD') return writingNothing(() => handle(request, response))
    return writing(() => handleUsual(request, response))
  }
  const begin = (request: IncomingMessage, response: TrackedResponse) => {
    try {
      return (response.work = respond(request, response))
    } catch (error) {
      // There is no place for the request, and no context yet.
      if (!(error instanceof Problem)) throw error
      sendProblem(request, response, error)
    }
  }
  const serve = (request: IncomingMessage, response: TrackedResponse) => {
    ignoreLongNegotiation(request)
    const problem = problemOf(request)
    if (problem !== null) return sendProblem(request, response, problem)
    const originsLoaded = loadAllowedOrigins(request)
    if (originsLoaded === undefined) begin(request, response)
    else response.work = originsLoaded.then(() => begin(request, response))
  }
  const connections = new ConnectionLimit()
  server.setTimeout(httpLimits.socketTimeoutMs)
  server.on('connection', (socket) => {
    if (connections.admit(socket)) new Connection(socket, serve)
  })
  server.on('clientError', rejectUnreadableRequest)
  server.on('checkExpectation', (request, response) =>
    sendProblem(request, response, new ExpectationFailed({ headers: { connection: 'close' } }))
  )
  return server
}

const NEGOTIATION = ['accept', 'accept-encoding', 'accept-language'] as const
/** In characters. Browsers send about a hundred. */
const LONGEST_NEGOTIATION = 1_000

/** Comparing very many media types, codings or languages takes milliseconds. */
function ignoreLongNegotiation({ headers }: IncomingMessage) {
  for (const name of NEGOTIATION) {
    if ((headers[name]?.length ?? 0) > LONGEST_NEGOTIATION) delete headers[name]
  }
}

/** Why a request is refused before it has a context; null if it is not. */
function problemOf({ url = '', rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  const needsHost = httpVersionMajor === 1 && httpVersionMinor === 1
  const hosts = countHosts(rawHeaders)
  if (needsHost && hosts === 0) return malformed('The request has no Host header')
  if (hosts > 1) return malformed('The request has more than one Host header')
  return urlProblem(url)
}

/** Node keeps only the first. @param rawHeaders names and values in turn */
function countHosts(rawHeaders: string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}
