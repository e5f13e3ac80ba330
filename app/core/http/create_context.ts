import { HttpContext, type HttpRequest } from '@adonisjs/core/http'
import logger from '@adonisjs/core/services/logger'
import type server from '@adonisjs/core/services/server'
import type { TrackedResponse } from '#core/http/tracked_response'
import { recordRequest } from '#core/http/record_request'
import { Place } from '#core/http/place'
import { hasBody } from '#core/http/read_body'
import { requestKind } from '#core/http/request_kind'
import { crossOriginHeaders } from '#core/http/cross_origin'
import { COMMON_HEADERS } from '#core/http/common_headers'
import { requestIdFrom } from '#core/http/request_id'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The caller's `X-Request-Id` if valid, else a new id. */
    requestId: string
    /** The caller's `X-Request-Id`, valid or not. */
    sentRequestId: string | undefined
    /** A `performance.now()` timestamp. */
    arrivedAt: number
    clientAddress: string
    /** The name of the key that authenticated the request, for logs. Set by guards. */
    keyName?: string
    /** The owner of the key, because one owner can have several. */
    keyOwner?: string
    place: Place
  }
}

const REQUEST_ID_HEADER = 'x-request-id'

function enter(request: HttpRequest, network: string) {
  const kind = requestKind(request)
  return new Place(kind, network, kind.readsBody && hasBody(request.request))
}

/** The framework's child logger costs a tenth of a check. @throws RateLimited, Overloaded */
export const createContext: typeof server.createHttpContext = (request, response, resolver) => {
  const tracked = response.response as TrackedResponse
  const { arrivedAt = performance.now(), requestId } = tracked.context ?? {}
  const client = tracked.peer!.clientOf(request.request)
  tracked.place ??= enter(request, client.network)
  const ctx = new HttpContext(request, response, logger, resolver)
  const { headers } = request.request
  const given = request.header(REQUEST_ID_HEADER)
  ctx.place = tracked.place
  ctx.arrivedAt = arrivedAt
  ctx.requestId = requestId ?? requestIdFrom(given)
  ctx.sentRequestId = given
  ctx.clientAddress = client.address
  for (const name in COMMON_HEADERS) response.header(name, COMMON_HEADERS[name])
  const crossOrigin = crossOriginHeaders(request.parsedUrl.pathname, headers.origin)
  for (const name in crossOrigin) response.header(name, crossOrigin[name])
  response.header(REQUEST_ID_HEADER, ctx.requestId)
  // The framework copies this request header into the response.
  if (given !== undefined) headers[REQUEST_ID_HEADER] = ctx.requestId
  tracked.context = ctx
  tracked.completed = recordRequest
  return ctx
}
