import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireFewFailures } from '#core/network/failed_authentication'
import { tokenVerifier } from '#app/auth/verifier'

/** Authentication class JWT: sets `ctx.caller`. */
export default class TokenMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    requireFewFailures(ctx)
    ctx.caller = await tokenVerifier.verify(ctx.request.request.headers.authorization)
    return next()
  }
}
