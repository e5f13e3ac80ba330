import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { requireFewFailures } from '#core/network/failed_authentication'
import { InvalidSecret } from '#app/auth/exceptions'
import { requireCheckListener } from '#app/auth/values/require_internal_listener'
import { requirePrivateNetwork } from '#app/auth/values/require_private_network'
import { SharedSecrets } from '#app/auth/values/shared_secrets'

const HEADER = 'X-Check-Key'
const checkKeys = new SharedSecrets('CHECK_KEYS', authConfig.checkKeys)

/** Requires the private network, and a check key if the operator has set any. */
export default class PrivateNetworkMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    requireCheckListener(ctx)
    requirePrivateNetwork(ctx)
    if (authConfig.checkKeys.length > 0) requireCheckKey(ctx)
    return next()
  }
}

function requireCheckKey(ctx: HttpContext) {
  requireFewFailures(ctx)
  const name = checkKeys.nameOf(ctx.request.header(HEADER))
  if (name === null) throw new InvalidSecret(HEADER)
  ctx.keyName = name
}
