import router from '@adonisjs/core/services/router'
import type { HttpRequest } from '@adonisjs/core/http'
import type httpLimits from '#config/http_limits'

export type RequestClass = keyof typeof httpLimits.inFlight

export interface RequestKind {
  class: RequestClass
  /** Until a guard identifies the caller, only the address is known. */
  identifiesCaller: boolean
  /** Work starts once the body is complete. */
  readsBody: boolean
}

type Route = NonNullable<ReturnType<typeof router.match>>['route']

const IDENTIFYING_GUARDS = new Set(['token', 'streamCaller', 'internalKey', 'authzenCaller'])
const BODY_MIDDLEWARE = new Set(['json', 'providerSignature', 'webhook'])
const UNKNOWN: RequestKind = { class: 'other', identifiesCaller: false, readsBody: false }

const kindsByRoute = new WeakMap<Route, RequestKind>()
/** Routes without parameters, by path and method. */
const kindsByPath = new Map<string, Map<string, RequestKind>>()

export function requestKind(request: HttpRequest): RequestKind {
  const { url = '', method = '' } = request.request
  return kindsByPath.get(url)?.get(method) ?? match(request, url, method)
}

function match(request: HttpRequest, url: string, method: string): RequestKind {
  const { pathname, shouldDecodeParam } = request.parsedUrl
  const found = router.match(pathname, request.method(), shouldDecodeParam)
  if (!found) return UNKNOWN
  const { route } = found
  let kind = kindsByRoute.get(route)
  if (!kind) kindsByRoute.set(route, (kind = describe(route)))
  if (route.pattern === url) remember(url, method, kind)
  return kind
}

function remember(url: string, method: string, kind: RequestKind) {
  kindsByPath.set(url, (kindsByPath.get(url) ?? new Map<string, RequestKind>()).set(method, kind))
}

function describe({ pattern, middleware }: Route): RequestKind {
  const names = [...middleware.all()].map((one) => ('name' in one ? String(one.name) : ''))
  return {
    class: classOf(pattern),
    identifiesCaller: names.some((name) => IDENTIFYING_GUARDS.has(name)),
    readsBody: names.some((name) => BODY_MIDDLEWARE.has(name)),
  }
}

function classOf(pattern: string): RequestClass {
  if (pattern === '/metrics' || pattern.startsWith('/api/health/')) return 'operations'
  if (pattern === '/api/check' || pattern.startsWith('/api/check/')) return 'checks'
  if (pattern.startsWith('/api/authzen/')) return 'checks'
  if (pattern.startsWith('/api/profile/me/check')) return 'ownChecks'
  if (pattern.startsWith('/api/idp/notifications/')) return 'providerMails'
  if (pattern === '/api/internal/changes') return 'streams'
  if (pattern.startsWith('/api/internal/')) return 'sends'
  return pattern.endsWith('/stream') ? 'streams' : 'other'
}
