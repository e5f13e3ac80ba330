import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireFewFailures } from '#core/network/failed_authentication'
import { authenticate } from '#app/auth/authenticate'
import { UserInactive } from '#app/profiles/exceptions'

/** Requires an access token. Refuses deactivated people unless the route accepts them. */
export default class TokenMiddleware {
  async handle(ctx: HttpContext, next: NextFn, also?: 'inactive') {
    requireFewFailures(ctx)
    ctx.caller = await authenticate(ctx.request.request.headers.authorization)
    if (!ctx.caller.isActive && also !== 'inactive') throw new UserInactive()
    return next()
  }
}
