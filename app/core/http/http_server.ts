import { type IncomingMessage, type Server, createServer } from 'node:http'
import { ExpectationFailed, MalformedRequest } from '#core/exceptions/problems'
import { Problem } from '#core/exceptions/problem'
import { sendProblem } from '#core/exceptions/raw_problem'
import { writingNothing } from '#core/database/writing_nothing'
import { Answer } from '#core/http/answer'
import { ArrivingRequest } from '#core/http/arriving_request'
import { Connection } from '#core/http/connection'
import { ConnectionLimit } from '#core/http/connection_limit'
import { learningOrigin } from '#core/http/cross_origin'
import { answerUnreadable } from '#core/http/unreadable_request'
import { urlFault } from '#core/http/url_limits'
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
    const detail = faultOf(request)
    if (detail !== null) {
      const headers = { connection: 'close' }
      sendProblem(request, response, new MalformedRequest({ detail, headers }))
      return
    }
    const learning = learningOrigin(request)
    if (learning === undefined) begin(request, response)
    else response.work = learning.then(() => begin(request, response))
  }
  const connections = new ConnectionLimit()
  server.setTimeout(limits.silenceMs)
  server.on('connection', (socket) => {
    if (connections.admit(socket)) new Connection(socket, serve)
  })
  server.on('clientError', answerUnreadable)
  server.on('checkExpectation', (request, response) =>
    sendProblem(request, response, new ExpectationFailed({ headers: { connection: 'close' } }))
  )
  return server
}

/** Why a request is not worked on, before anything is made of it; null if it is. */
function faultOf({ url = '', headers, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  const needsHost = httpVersionMajor === 1 && httpVersionMinor === 1
  if (needsHost && headers.host === undefined) return 'The request has no Host header'
  return urlFault(url)
}
