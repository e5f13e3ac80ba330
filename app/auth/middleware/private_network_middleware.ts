import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { verifiableAddress } from '#core/network/client_address'
import { Networks } from '#core/network/networks'
import { Forbidden } from '#app/auth/exceptions'
import { requireInternalListener } from '#app/auth/values/internal_listener'

const allowedNetworks = new Networks(authConfig.checkAllowedNetworks)

/** Authentication class None: there is no credential, so the network is the guard. */
export default class PrivateNetworkMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    requireInternalListener(ctx)
    const address = verifiableAddress(ctx.request.request)
    if (address === null || !allowedNetworks.includes(address)) {
      throw new Forbidden({ detail: 'This endpoint answers callers in the private network only' })
    }
    return next()
  }
}
