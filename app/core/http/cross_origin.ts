import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import { allowedOrigins } from '#core/http/allowed_origins'

/** `@adonisjs/cors` would slow down checks and miss responses without a context. */

/** Endpoints that pages of other origins can call, with a bearer token or without credentials. */
const OPEN_PATHS =
  /^\/+api\/(?:profile\/me(?:\/|$)|idp\/(?:health|discovery)\/*$|openapi\.json\/*$)/

const EXPOSED_HEADERS =
  'Concierge-Revision, ETag, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, X-Total-Count'
const ALLOWED_HEADERS =
  'Authorization, Concierge-At-Least, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Audit-Reason, X-Request-Id, Traceparent, Tracestate'
const PREFLIGHT_SECONDS = '3600'

export function isOpenToOrigins(path: string): boolean {
  return OPEN_PATHS.test(path)
}

/** They never allow cookies. */
export function crossOriginHeaders(
  path: string,
  origin: string | undefined
): Record<string, string> | undefined {
  if (!isOpenToOrigins(path)) return undefined
  if (origin === undefined || !allowedOrigins.includes(origin)) return { vary: 'Origin' }
  return {
    'vary': 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
  }
}

export function rawCrossOriginHeaders({ url = '', headers }: IncomingMessage) {
  return crossOriginHeaders(decodedPath(url), headers.origin)
}

/** Loads stored origins if needed. Await the result, if any, before responding. */
export function loadAllowedOrigins({ url = '', headers }: IncomingMessage) {
  const { origin } = headers
  if (origin === undefined || !isOpenToOrigins(decodedPath(url))) return undefined
  return allowedOrigins.loadFor(origin)
}

export function respondToOptions({ request, response }: HttpContext, methods: string[]) {
  response.status(204).header('allow', methods.join(', '))
  const isPreflight = request.header('access-control-request-method') !== undefined
  if (isPreflight && response.getHeader('access-control-allow-origin') !== undefined) {
    response
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
  }
  response.send(null)
}

/** A path that cannot be decoded matches no route. */
function decodedPath(url: string) {
  const path = url.split(/[?#]/, 1)[0]
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
