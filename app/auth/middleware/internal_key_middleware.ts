import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { InvalidSecret } from '#app/auth/exceptions'
import { requireInternalListener } from '#app/auth/values/internal_listener'
import { matchesSecret } from '#app/auth/values/shared_secret'

const HEADER = 'x-internal-api-key'

/** Authentication class Internal (decisions 2.3). */
export default class InternalKeyMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    requireInternalListener(ctx)
    if (!matchesSecret(ctx.request.header(HEADER), authConfig.internalKeys)) {
      throw new InvalidSecret(HEADER)
    }
    return next()
  }
}
