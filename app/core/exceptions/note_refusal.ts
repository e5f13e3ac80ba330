import type { HttpContext } from '@adonisjs/core/http'
import type { Problem } from '#core/exceptions/problem'
import { callerName } from '#core/http/caller_name'
import { cameThroughProxy, clientNetwork, isTrustedProxy } from '#core/network/client_address'
import { carriesCredential } from '#core/network/credentials'
import { TooManyFailures, countFailure } from '#core/network/failed_authentication'
import { WindowCounter } from '#core/network/window_counter'
import { logSecurityEvent } from '#core/security_events'

/** How many refusals of one caller are logged per minute. */
const EVENTS_A_MINUTE = 60

const SHARED_ADDRESS =
  'The address belongs to a proxy that is not in TRUSTED_PROXIES, so all its clients are throttled together'

const unthrottled = new WindowCounter()
const forbidden = new WindowCounter()
const limited = new WindowCounter()

/** Logs a refused request if the refusal is a security event. */
export function noteRefusal(problem: Problem, ctx: HttpContext) {
  switch (problem.kind.status) {
    case 401:
      return noteFailedAuthentication(ctx, problem)
    case 403:
      return noteForbidden(ctx, problem)
    case 429:
      return noteLimited(ctx, problem)
  }
}

/** Guards throttle a client that guesses, which limits its log lines; others are not throttled. */
function noteFailedAuthentication(ctx: HttpContext, { kind, message, isGuess }: Problem) {
  if (isGuess && carriesCredential(ctx.request.request.headers)) countFailure(ctx)
  else if (unthrottled.add(askerOf(ctx)) > EVENTS_A_MINUTE) return
  const facts = { code: kind.code, reason: message, route: ctx.route?.pattern }
  logSecurityEvent('auth_failed', 'A request had no valid credentials', facts)
}

function noteForbidden(ctx: HttpContext, { kind }: Problem) {
  if (forbidden.add(askerOf(ctx)) > EVENTS_A_MINUTE) return
  const facts = { code: kind.code, route: ctx.route?.pattern }
  logSecurityEvent('forbidden', 'A caller was denied access', facts)
}

function noteLimited(ctx: HttpContext, problem: Problem) {
  const limit = problem instanceof TooManyFailures ? 'failed_authentication' : 'requests'
  if (limited.add(`${limit} ${askerOf(ctx)}`) > 1) return
  const facts = { limit, route: ctx.route?.pattern }
  const hint = limit === 'failed_authentication' ? hintFor(ctx) : {}
  logSecurityEvent('rate_limited', problem.message, { ...facts, ...hint })
}

function hintFor({ request }: HttpContext) {
  const peer = request.request.socket.remoteAddress ?? ''
  return cameThroughProxy(request.request) && !isTrustedProxy(peer) ? { hint: SHARED_ADDRESS } : {}
}

function askerOf(ctx: HttpContext) {
  return callerName(ctx) ?? clientNetwork(ctx.clientAddress)
}
