import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireCheckAccess } from '#app/auth/values/require_check_access'

/** Requires the private network, and a check key if the operator has set any. */
export default class PrivateNetworkMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    requireCheckAccess(ctx)
    return next()
  }
}
