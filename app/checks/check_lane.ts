import type { IncomingMessage } from 'node:http'
import { isTracing } from '#core/process/tracing'
import { REVISION } from '#core/changes/revision_headers'
import { COMMON_HEADERS } from '#core/http/common_headers'
import { withOwnContext, withRequestId } from '#core/http/current_request_id'
import type { GuardedRequest } from '#core/http/guarded_request'
import { parseJsonBody } from '#core/http/parse_json'
import { Place } from '#core/http/place'
import { isTrusted, readBody } from '#core/http/read_body'
import { type RecordedRequest, recordRequest } from '#core/http/record_request'
import { requestIdFrom } from '#core/http/request_id'
import type { RequestKind } from '#core/http/request_kind'
import type { ShortLane } from '#core/http/short_lane'
import type { TrackedResponse } from '#core/http/tracked_response'
import { checkPermission } from '#app/checks/actions/check_permissions'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { headersOfValidity } from '#app/checks/transformers/validity_headers'
import { CheckRequest } from '#app/checks/validators/check_request'
import httpLimits from '#config/http_limits'
import { rateLimits } from '#config/limiter'

const PATH = '/api/check'
const KIND: RequestKind = { class: 'checks', identifiesCaller: false, readsBody: true }
const ROUTE = { pattern: PATH }

/** A request with one of these headers needs something that only the route does. */
const UNUSUAL = ['content-encoding', 'transfer-encoding', 'x-audit-reason', 'concierge-at-least']

const HEADERS = [
  ...Object.entries(COMMON_HEADERS).flat(),
  'content-type',
  'application/json; charset=utf-8',
]
const ALLOWED = '{"data":{"allowed":true}}'
const DENIED = '{"data":{"allowed":false}}'

/** A request, in the place of the framework's context. */
interface Exchange extends GuardedRequest, RecordedRequest {
  response: { response: TrackedResponse }
  place: Place
}

/** @throws Problem */
type Guard = (request: GuardedRequest) => void

/**
 * Serves `POST /api/check` as its route does; a test sends the same requests to both.
 *
 * @param requireAccess what the guards of the route require
 */
export function createCheckLane(requireAccess: Guard): ShortLane {
  return {
    takes({ method, url, headers }) {
      if (url !== PATH || method !== 'POST') return false
      if (headers['content-type'] !== 'application/json') return false
      if (headers['content-length'] === undefined || headers['content-length'] === '0') return false
      if (UNUSUAL.some((name) => name in headers)) return false
      return rateLimits.check === 0 && !isTracing && followedChanges.reflects(0)
    },

    serve(request, response, route) {
      const exchange = begin(request, response)
      return withRequestId(exchange.requestId, () => respond(exchange, requireAccess)).catch(() =>
        withOwnContext(() => route(request, response))
      )
    },
  }
}

/** @throws RateLimited, Overloaded if there is no place */
function begin(request: IncomingMessage, response: TrackedResponse): Exchange {
  const { address, network } = response.peer!.clientOf(request)
  response.place = new Place(KIND, network, true)
  const exchange: Exchange = {
    arrivedAt: performance.now(),
    request: { request },
    response: { response },
    route: ROUTE,
    requestId: requestIdFrom(request.headers['x-request-id'] as string | undefined),
    clientAddress: address,
    place: response.place,
  }
  response.context = exchange
  response.completed = recordRequest
  return exchange
}

async function respond(exchange: Exchange, requireAccess: Guard) {
  const { response } = exchange.response
  requireAccess(exchange)
  response.body = readBody(exchange, httpLimits.bodyBytes.largest)
  const bytes = await response.body
  if (!isTrusted(exchange.place)) requireAccess(exchange)
  const body = new CheckRequest(parseJsonBody(bytes))
  const revision = String(followedChanges.revision)
  const headers = [...HEADERS, 'x-request-id', exchange.requestId, REVISION, revision]
  const check = body.single(body.email())
  const allowed = await decide(exchange, () =>
    checkPermission(check, (judgements, now) => {
      headers.push(...headersOfValidity(judgements, now).flat())
    })
  )
  const text = allowed ? ALLOWED : DENIED
  headers.push('content-length', String(text.length))
  response.writeHead(200, headers).end(text)
}

/** The route reports that the database is unavailable, without asking it again. */
async function decide({ response: { response } }: Exchange, work: () => Promise<boolean>) {
  try {
    return await work()
  } catch (error) {
    response.body = Promise.reject(error as Error)
    response.body.catch(() => {})
    throw error
  }
}
