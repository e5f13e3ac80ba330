import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { requireFewFailures } from '#core/network/failed_authentication'
import { InvalidSecret } from '#app/auth/exceptions'
import { requireInternalListener } from '#app/auth/values/internal_listener'
import { SharedSecrets } from '#app/auth/values/shared_secret'

const HEADER = 'x-internal-api-key'
const internalKeys = new SharedSecrets('INTERNAL_API_KEY', authConfig.internalKeys)

/** Authentication class Internal. */
export default class InternalKeyMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    requireInternalListener(ctx)
    requireFewFailures(ctx)
    const name = internalKeys.nameOf(ctx.request.header(HEADER))
    if (name === null) throw new InvalidSecret(HEADER)
    ctx.keyName = name
    return next()
  }
}
