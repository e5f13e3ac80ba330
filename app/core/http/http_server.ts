import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { ExpectationFailed, MalformedRequest } from '#core/exceptions/problems'
import { Problem } from '#core/exceptions/problem'
import { sendProblem } from '#core/exceptions/raw_problem'
import { writingNothing } from '#core/database/writing_nothing'
import { Answer } from '#core/http/answer'
import { ArrivingRequest } from '#core/http/arriving_request'
import { Connection } from '#core/http/connection'
import { learningOrigin } from '#core/http/cross_origin'
import { answerUnreadable } from '#core/http/unreadable_request'
import { clientNetwork, isTrustedProxy, plainAddress } from '#core/network/client_address'
import limits from '#config/limits'

/** How often connections are looked at that take too long. */
const LOOK_EVERY_MS = 1_000

/** Answers a request; the returned promise settles when all work is done. */
type Handle = (request: IncomingMessage, response: Answer) => unknown

/**
 * A listener with the limits of `config/limits.ts`: slow connections are closed, requests without a
 * place are refused immediately, and even invalid HTTP gets a problem as the answer.
 */
export function createHttpServer(handle: Handle): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // Asked for below: by itself the server answers without a body.
      requireHostHeader: false,
      IncomingMessage: ArrivingRequest,
      ServerResponse: Answer,
    },
    (request, response) => Connection.of(request.socket)?.take(request, response)
  )
  const answer: Handle = (request, response) => {
    // RFC 9110, 9.2.1: it asks for what GET would answer, and changes nothing.
    if (request.method === 'HEAD') return writingNothing(() => handle(request, response))
    return handle(request, response)
  }
  const begin = (request: IncomingMessage, response: Answer) => {
    try {
      return (response.work = answer(request, response))
    } catch (error) {
      // There is no place for the request, which is known before a context exists.
      if (!(error instanceof Problem)) throw error
      sendProblem(request, response, error)
    }
  }
  const serve = (request: IncomingMessage, response: Answer) => {
    if (lacksHost(request)) {
      const detail = 'The request has no Host header'
      const headers = { connection: 'close' }
      sendProblem(request, response, new MalformedRequest({ detail, headers }))
      return
    }
    const learning = learningOrigin(request)
    if (learning === undefined) begin(request, response)
    else response.work = learning.then(() => begin(request, response))
  }
  // One too many is closed at once, by a worker process too, instead of being handed round.
  Object.assign(server, { maxConnections: limits.connections, dropMaxConnection: true })
  server.setTimeout(limits.silenceMs)
  server.on(
    'connection',
    limitedByAddress((socket) => new Connection(socket, serve))
  )
  server.on('clientError', answerUnreadable)
  server.on('checkExpectation', (request, response) =>
    sendProblem(request, response, new ExpectationFailed({ headers: { connection: 'close' } }))
  )
  return server
}

/**
 * Limits each address to its share of a listener's connections, except trusted proxies, which
 * forward for many clients.
 */
function limitedByAddress(accept: (socket: Socket) => void) {
  const most = Math.max(1, Math.floor(limits.connections * limits.perCaller))
  const counts = new Map<string, number>()
  return (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    if (isTrustedProxy(address)) return accept(socket)
    const key = clientNetwork(address)
    const count = counts.get(key) ?? 0
    if (count >= most) return void socket.destroy()
    counts.set(key, count + 1)
    socket.once('close', () => {
      const left = counts.get(key)! - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    })
    accept(socket)
  }
}

function lacksHost({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor === 1
}
