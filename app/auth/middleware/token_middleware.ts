import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { authenticateRequest } from '#app/auth/session/authenticate_request'
import { UserInactive } from '#app/profiles/exceptions'

/**
 * Requires an access token, or the cookie of the panel instead of one. Refuses deactivated users
 * unless the route accepts them.
 */
export default class TokenMiddleware {
  async handle(ctx: HttpContext, next: NextFn, also?: 'inactive') {
    await authenticateRequest(ctx)
    if (!ctx.caller.isActive && also !== 'inactive') throw new UserInactive()
    return next()
  }
}
