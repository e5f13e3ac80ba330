import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireCheckKey } from '#app/auth/values/require_check_key'
import { requireCheckListener } from '#app/auth/values/require_internal_listener'
import { requirePrivateNetwork } from '#app/auth/values/require_private_network'

/** Requires the private network, and a check key if the operator has set any. */
export default class PrivateNetworkMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    requireCheckListener(ctx)
    requirePrivateNetwork(ctx)
    requireCheckKey(ctx)
    return next()
  }
}
