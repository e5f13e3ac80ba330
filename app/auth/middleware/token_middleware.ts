import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireFewFailures } from '#core/network/failed_authentication'
import { authenticate } from '#app/auth/authenticate'
import type PanelSession from '#app/auth/models/panel_session'
import { sessionCredentials } from '#app/auth/session/find_session'
import { UserInactive } from '#app/profiles/exceptions'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `token` guard if the request came with the cookie of the panel. */
    panelSession?: PanelSession
  }
}

/**
 * Requires an access token, or the cookie of the panel, which stands for one. Refuses deactivated
 * users unless the route accepts them.
 */
export default class TokenMiddleware {
  async handle(ctx: HttpContext, next: NextFn, also?: 'inactive') {
    requireFewFailures(ctx)
    ctx.caller = await authenticate(await readCredentials(ctx))
    ctx.caller.sessionId = ctx.panelSession?.id
    if (!ctx.caller.isActive && also !== 'inactive') throw new UserInactive()
    return next()
  }
}

async function readCredentials(ctx: HttpContext) {
  const { authorization, cookie } = ctx.request.request.headers
  if (authorization !== undefined || cookie === undefined) return authorization
  const found = await sessionCredentials(ctx)
  ctx.panelSession = found?.session
  return found?.authorization
}
