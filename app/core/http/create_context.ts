import { HttpContext } from '@adonisjs/core/http'
import logger from '@adonisjs/core/services/logger'
import type server from '@adonisjs/core/services/server'
import type { Answer } from '#core/http/answer'
import { requestCompleted } from '#core/http/completed_request'
import { Place } from '#core/http/place'
import { hasBody } from '#core/http/read_body'
import { kindOf } from '#core/http/request_kinds'
import { crossOriginHeaders } from '#core/http/cross_origin'
import { COMMON_HEADERS } from '#core/http/answer_headers'
import { requestIdFrom } from '#core/http/request_id'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The caller's `X-Request-Id` when it is a plain token, else a new one: the id under which the log knows the request. */
    requestId: string
    /** When the request arrived, on the clock of `performance`. */
    arrivedAt: number
    /** The client's address (see `clientAddress`). */
    clientAddress: string
    /**
     * The name of the key or secret that authenticated the request, for logs. Set by the guards.
     */
    keyName?: string
    /** Whose key it is, where several keys belong to one owner. */
    keyOwner?: string
    /** The request's place in its class. */
    place: Place
  }
}

const HEADER = 'x-request-id'

/**
 * Makes the context of a request and gives its answer the request id. It stands in for the
 * framework's way and for a middleware beside it, because a child logger for each request, which
 * hardly any request uses, and one more step cost a tenth of a check.
 *
 * @throws RateLimited, Overloaded when there is no place for the request; its caller answers that
 */
export const createContext: typeof server.createHttpContext = (request, response, resolver) => {
  const arrived = performance.now()
  const answer = response.response as Answer
  const client = answer.peer!.clientOf(request.request)
  const kind = kindOf(request)
  const awaitsBody = kind.readsBody && hasBody(request.request)
  answer.place = new Place(kind, client.network, awaitsBody)
  const ctx = new HttpContext(request, response, logger, resolver)
  const { headers } = request.request
  const given = request.header(HEADER)
  ctx.place = answer.place
  ctx.arrivedAt = arrived
  ctx.requestId = requestIdFrom(given)
  ctx.clientAddress = client.address
  for (const name in COMMON_HEADERS) response.header(name, COMMON_HEADERS[name])
  const crossOrigin = crossOriginHeaders(request.parsedUrl.pathname, headers.origin)
  for (const name in crossOrigin) response.header(name, crossOrigin[name])
  response.header(HEADER, ctx.requestId)
  // The framework copies the request's header into the answer once more, whatever it holds.
  if (given !== undefined) headers[HEADER] = ctx.requestId
  answer.context = ctx
  answer.completed = requestCompleted
  return ctx
}
