import type { HttpContext } from '@adonisjs/core/http'
import { requireFewFailures } from '#core/network/failed_authentication'
import { authenticate, authenticateAgain } from '#app/auth/authenticate'
import type PanelSession from '#app/auth/models/panel_session'
import { sessionCredentials } from '#app/auth/session/find_session'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `token` guard if the request came with the cookie of the panel. */
    panelSession?: PanelSession
  }
}

/** Sets the caller from an access token, or from the cookie of the panel. */
export async function authenticateRequest(ctx: HttpContext) {
  requireFewFailures(ctx)
  const credentials = await readCredentials(ctx)
  const isRepeated = 'caller' in ctx
  ctx.caller = await (isRepeated ? authenticateAgain(credentials) : authenticate(credentials))
  ctx.caller.sessionId = ctx.panelSession?.id
}

async function readCredentials(ctx: HttpContext) {
  const { authorization, cookie } = ctx.request.request.headers
  if (authorization !== undefined || cookie === undefined) return authorization
  const found = await sessionCredentials(ctx)
  ctx.panelSession = found?.session
  return found?.authorization
}
