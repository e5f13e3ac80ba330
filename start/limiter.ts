import type { HttpContext } from '@adonisjs/core/http'
import type { MiddlewareFn } from '@adonisjs/core/types/http'
import limiter from '@adonisjs/limiter/services/main'
import { callerKey } from '#core/http/caller_name'
import { clientNetwork } from '#core/network/client_address'
import { rateLimits } from '#config/limiter'

/** Requests per minute, by authentication class. 0 means no limit. */
function perMinute(
  name: Exclude<keyof typeof rateLimits, 'failedAuthentication'>,
  callerOf: (ctx: HttpContext) => string
) {
  const allowed = rateLimits[name]
  if (allowed === 0) return unlimited
  return limiter.define(name, (ctx) =>
    limiter.allowRequests(allowed).every('1 minute').usingKey(callerOf(ctx))
  )
}

const unlimited: MiddlewareFn = (_, next) => next()

/**
 * Requires a guard that identifies the caller, and counts the request towards the caller's share.
 */
const forCaller =
  (limit: MiddlewareFn): MiddlewareFn =>
  (ctx, next) => {
    ctx.place.identify(callerKey(ctx))
    return limit(ctx, next)
  }

/** The same as the `token` limit of routes, for requests without a context. */
export async function countRequestOf({ email }: { email: string }): Promise<string[]> {
  if (rateLimits.token === 0) return []
  const ofCaller = limiter.allowRequests(rateLimits.token).every('1 minute').usingKey(email)
  // The context is only used for its address, in the place of a key.
  const { limit, remaining } = await ofCaller.throttle('token', {} as HttpContext)
  return ['x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining)]
}

const check = perMinute('check', (ctx) => clientNetwork(ctx.clientAddress))
/** A client outside the private network counts for itself, wherever it calls from. */
const authzenClient = forCaller(perMinute('check', callerKey))

export const throttle = {
  token: forCaller(perMinute('token', (ctx) => ctx.caller.email)),
  internal: forCaller(perMinute('internal', (ctx) => clientNetwork(ctx.clientAddress))),
  webhook: perMinute('webhook', (ctx) => clientNetwork(ctx.clientAddress)),
  public: perMinute('public', (ctx) => clientNetwork(ctx.clientAddress)),
  check,
  authzen: ((ctx, next) =>
    (ctx.authzenCaller === 'client' ? authzenClient : check)(ctx, next)) satisfies MiddlewareFn,
}
