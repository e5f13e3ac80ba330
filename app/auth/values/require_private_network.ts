import type { HttpContext } from '@adonisjs/core/http'
import authConfig from '#config/auth'
import { verifiableAddress } from '#core/network/client_address'
import { Networks } from '#core/network/networks'
import { Forbidden } from '#app/auth/exceptions'

const allowedNetworks = new Networks(authConfig.checkAllowedNetworks)

/** @throws Forbidden, even for addresses that cannot be verified */
export function requirePrivateNetwork({ request }: HttpContext) {
  const address = verifiableAddress(request.request)
  if (address === null || !allowedNetworks.includes(address)) {
    throw new Forbidden({ detail: 'This endpoint is available on the private network only' })
  }
}
