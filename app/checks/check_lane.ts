import type { IncomingMessage } from 'node:http'
import { isTracing } from '#core/process/tracing'
import { REVISION } from '#core/changes/revision_headers'
import { callerKey } from '#core/http/caller_name'
import { COMMON_HEADERS } from '#core/http/common_headers'
import { crossOriginHeaders } from '#core/http/cross_origin'
import { inShortLane, withOwnContext } from '#core/http/current_request'
import type { GuardedRequest } from '#core/http/guarded_request'
import { parseJsonBody } from '#core/http/parse_json'
import { Place } from '#core/http/place'
import { isTrusted, readBody } from '#core/http/read_body'
import { type RecordedRequest, recordRequest } from '#core/http/record_request'
import { requestIdFrom } from '#core/http/request_id'
import type { RequestKind } from '#core/http/request_kind'
import type { ShortLane } from '#core/http/short_lane'
import type { TrackedResponse } from '#core/http/tracked_response'
import {
  type Check,
  checkOwnPermission,
  checkPermission,
} from '#app/checks/actions/check_permissions'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { headersOfValidity } from '#app/checks/transformers/validity_headers'
import { CheckRequest } from '#app/checks/validators/check_request'
import httpLimits from '#config/http_limits'
import { rateLimits } from '#config/limiter'

/** A request with one of these headers needs something that only the route does. */
const UNUSUAL = ['content-encoding', 'transfer-encoding', 'x-audit-reason', 'concierge-at-least']

const HEADERS = [
  ...Object.entries(COMMON_HEADERS).flat(),
  'content-type',
  'application/json; charset=utf-8',
]

interface Caller {
  email: string
}

/** A request, in the place of the framework's context. */
interface Exchange extends GuardedRequest, RecordedRequest {
  response: { response: TrackedResponse }
  place: Place
}

/** @throws Problem */
type Guard = (request: GuardedRequest) => void

/** What differs between the routes. */
interface CheckRoute {
  path: string
  kind: RequestKind
  mostBytes: number
  /** Whether the route has a rate limit that the lane does not know. */
  isOff?: boolean
  /** @throws Problem, or any other error to leave the request to the route */
  guard: (exchange: Exchange) => void
  check: (body: Record<string, unknown>, exchange: Exchange) => Check
  /** @param headers of the response, to which it can add some */
  decide: (check: Check, headers: string[]) => Promise<boolean>
  /**
   * Counts the request towards a rate limit. Called once nothing in the request can be refused any
   * more, because the route would count it again.
   * @returns headers of the response
   */
  count?: (exchange: Exchange) => Promise<string[]>
  allowed: string
  denied: string
}

/**
 * Serves `POST /api/check` as its route does; a test sends the same requests to both.
 *
 * @param requireAccess what the guards of the route require
 */
export const createCheckLane = (requireAccess: Guard): ShortLane =>
  createLane({
    path: '/api/check',
    kind: { class: 'checks', identifiesCaller: false, readsBody: true },
    mostBytes: httpLimits.bodyBytes.largest,
    isOff: rateLimits.check !== 0,
    guard: requireAccess,
    check: (given) => {
      const body = new CheckRequest(given)
      return body.single(body.email())
    },
    decide: (check, headers) =>
      checkPermission(check, (judgements, now) => {
        headers.push(...headersOfValidity(judgements, now).flat())
      }),
    allowed: '{"data":{"allowed":true}}',
    denied: '{"data":{"allowed":false}}',
  })

/**
 * Serves `POST /api/profile/me/check` likewise, for callers whose token is known.
 *
 * @param findCaller what the guards of the route find without waiting
 * @param count counts a request towards the rate limit of the route, and returns its headers
 */
export const createOwnCheckLane = (
  findCaller: (request: GuardedRequest) => Caller | undefined,
  count: (caller: Caller) => Promise<string[]>
): ShortLane =>
  createLane({
    path: '/api/profile/me/check',
    kind: { class: 'ownChecks', identifiesCaller: true, readsBody: true },
    mostBytes: httpLimits.bodyBytes.ownChecks,
    guard: (exchange) => {
      exchange.caller = findCaller(exchange)
      if (exchange.caller === undefined) throw new Error('The route looks up the caller')
      exchange.place.identify(callerKey(exchange))
    },
    check: (given, { caller }) => new CheckRequest(given, { isOwn: true }).single(caller!.email),
    count: ({ caller }) => count(caller!),
    decide: checkOwnPermission,
    allowed: '{"allowed":true}',
    denied: '{"allowed":false}',
  })

function createLane(checkRoute: CheckRoute): ShortLane {
  const { path, isOff } = checkRoute
  return {
    path,
    takes({ method, headers }) {
      if (method !== 'POST') return false
      if (headers['content-type'] !== 'application/json') return false
      if (headers['content-length'] === undefined || headers['content-length'] === '0') return false
      if (UNUSUAL.some((name) => name in headers)) return false
      return !isOff && !isTracing && followedChanges.reflects(0) && !followedChanges.mayHaveMissed
    },

    serve(request, response, route) {
      const exchange = begin(request, response, checkRoute)
      return inShortLane(exchange, () => respond(exchange, checkRoute)).catch(() =>
        withOwnContext(() => route(request, response))
      )
    },
  }
}

/** @throws RateLimited, Overloaded if there is no place */
function begin(request: IncomingMessage, response: TrackedResponse, { path, kind }: CheckRoute) {
  const { address, network } = response.peer!.clientOf(request)
  response.place = new Place(kind, network, true)
  const exchange: Exchange = {
    arrivedAt: performance.now(),
    request: { request },
    response: { response },
    route: { pattern: path },
    requestId: requestIdFrom(request.headers['x-request-id'] as string | undefined),
    clientAddress: address,
    place: response.place,
  }
  response.context = exchange
  response.completed = recordRequest
  return exchange
}

async function respond(exchange: Exchange, checkRoute: CheckRoute) {
  const { response } = exchange.response
  checkRoute.guard(exchange)
  response.body = readBody(exchange, checkRoute.mostBytes)
  const bytes = await response.body
  if (!isTrusted(exchange.place)) checkRoute.guard(exchange)
  const check = checkRoute.check(await parseJsonBody(bytes, exchange.place.caller), exchange)
  const revision = String(followedChanges.revision)
  const headers = [...HEADERS, 'x-request-id', exchange.requestId, REVISION, revision]
  addCrossOrigin(headers, checkRoute.path, exchange)
  if (checkRoute.count) headers.push(...(await checkRoute.count(exchange)))
  const allowed = await decide(exchange, () => checkRoute.decide(check, headers))
  const text = allowed ? checkRoute.allowed : checkRoute.denied
  headers.push('content-length', String(text.length))
  response.writeHead(200, headers).end(text)
}

function addCrossOrigin(headers: string[], path: string, { request }: Exchange) {
  const crossOrigin = crossOriginHeaders(path, request.request.headers.origin)
  for (const name in crossOrigin) headers.push(name, crossOrigin[name])
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
