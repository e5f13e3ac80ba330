import type { HttpContext } from '@adonisjs/core/http'
import type { Problem } from '#core/exceptions/problem'
import { callerName } from '#core/http/caller_name'
import { wasForwarded, clientNetwork, isTrustedProxy } from '#core/network/client_address'
import { TooManyFailures, countFailure, isCounted } from '#core/network/failed_authentication'
import { WindowCounter } from '#core/network/window_counter'
import { logSecurityEvent } from '#core/security_events'

const MAX_EVENTS_PER_MINUTE = 60

const SHARED_ADDRESS =
  'The address belongs to a proxy that is not in TRUSTED_PROXIES, so all of its clients are throttled together'

const unthrottled = new WindowCounter()
const forbidden = new WindowCounter()
const limited = new WindowCounter()

export function logRefusal(problem: Problem, ctx: HttpContext) {
  switch (problem.kind.status) {
    case 401:
      return logFailedAuthentication(ctx, problem)
    case 403:
      return logForbidden(ctx, problem)
    case 429:
      return logRateLimited(ctx, problem)
  }
}

/** Guards throttle wrong credentials, and so their log lines. Others are limited here. */
function logFailedAuthentication(ctx: HttpContext, { kind, message, isGuess }: Problem) {
  if (isGuess && isCounted(ctx, ctx.request.request)) countFailure(ctx)
  else if (unthrottled.add(callerOf(ctx)) > MAX_EVENTS_PER_MINUTE) return
  const facts = { code: kind.code, reason: message, route: ctx.route?.pattern }
  logSecurityEvent('auth_failed', 'A request had no valid credentials', facts)
}

function logForbidden(ctx: HttpContext, { kind }: Problem) {
  if (forbidden.add(callerOf(ctx)) > MAX_EVENTS_PER_MINUTE) return
  const facts = { code: kind.code, route: ctx.route?.pattern }
  logSecurityEvent('forbidden', 'A caller was denied access', facts)
}

function logRateLimited(ctx: HttpContext, problem: Problem) {
  const limit = problem instanceof TooManyFailures ? 'failed_authentication' : 'requests'
  if (limited.add(`${limit} ${callerOf(ctx)}`) > 1) return
  const facts = { limit, route: ctx.route?.pattern }
  const hint = limit === 'failed_authentication' ? hintFor(ctx) : {}
  logSecurityEvent('rate_limited', problem.message, { ...facts, ...hint })
}

function hintFor({ request }: HttpContext) {
  const peer = request.request.socket.remoteAddress ?? ''
  return wasForwarded(request.request) && !isTrustedProxy(peer) ? { hint: SHARED_ADDRESS } : {}
}

function callerOf(ctx: HttpContext) {
  return callerName(ctx) ?? clientNetwork(ctx.clientAddress)
}
