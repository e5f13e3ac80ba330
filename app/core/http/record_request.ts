import type { IncomingMessage, ServerResponse } from 'node:http'
import { type NamedCaller, callerName } from '#core/http/caller_name'
import { accessLog } from '#core/http/access_log'
import { observeDuration } from '#core/metrics/request_durations'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Logged instead of a status if the client disconnected before the response was sent. */
const CLIENT_CLOSED_REQUEST = 499

/** What is logged and measured; an `HttpContext` is one. */
export interface RecordedRequest extends NamedCaller {
  request: { request: IncomingMessage }
  response: { response: ServerResponse }
  route?: { pattern: string }
  requestId: string
  clientAddress: string
  /** A `performance.now()` timestamp. */
  arrivedAt: number
}

/** Unknown methods and paths are grouped, to limit the number of labels. */
export function recordRequest(ctx: RecordedRequest) {
  const { request, response, route, requestId, clientAddress } = ctx
  const ms = performance.now() - ctx.arrivedAt
  const { writableFinished, statusCode } = response.response
  const status = writableFinished ? statusCode : CLIENT_CLOSED_REQUEST
  const requested = request.request.method ?? ''
  const method = METHODS.has(requested) ? requested : 'other'
  const pattern = route?.pattern ?? 'none'
  observeDuration(method, pattern, status, ms / 1_000)
  accessLog?.write({
    requestId,
    method,
    route: pattern,
    status,
    ms,
    client: clientAddress,
    caller: callerName(ctx),
  })
}
