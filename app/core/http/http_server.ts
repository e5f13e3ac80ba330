import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http'
import { ExpectationFailed, MalformedRequest, Overloaded } from '#core/exceptions/problems'
import { sendProblem } from '#core/exceptions/raw_problem'
import { requestGate } from '#core/http/request_gate'
import { answerUnreadable } from '#core/http/unreadable_request'
import limits from '#config/limits'

/** How often connections are looked at that take too long. */
const LOOK_EVERY_MS = 1_000
const RETRY_AFTER_SECONDS = '1'

/**
 * A listener under the limits of `config/limits.ts`: connections that send too slowly are cut, requests beyond what can be
 * answered at a time are refused at once, and even what is no request gets a problem for an answer.
 */
export function createHttpServer(handle: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // Asked for below: by itself the server answers without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      if (lacksHost(request)) {
        const detail = 'The request has no Host header'
        sendProblem(
          request,
          response,
          new MalformedRequest({ detail, headers: { connection: 'close' } })
        )
      } else if (requestGate.admit(request, response)) handle(request, response)
      else {
        const headers = { 'retry-after': RETRY_AFTER_SECONDS }
        sendProblem(request, response, new Overloaded({ headers }))
      }
    }
  )
  // One too many is closed at once, by a worker process too, instead of being handed round.
  Object.assign(server, { maxConnections: limits.connections, dropMaxConnection: true })
  server.setTimeout(limits.silenceMs)
  server.on('clientError', answerUnreadable)
  server.on('checkExpectation', (request, response) =>
    sendProblem(request, response, new ExpectationFailed({ headers: { connection: 'close' } }))
  )
  return server
}

function lacksHost({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor === 1
}
