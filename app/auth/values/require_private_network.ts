import authConfig from '#config/auth'
import type { GuardedRequest } from '#core/http/guarded_request'
import { verifiableAddress } from '#core/network/client_address'
import { Networks } from '#core/network/networks'
import { Forbidden } from '#app/auth/exceptions'

const allowedNetworks = new Networks(authConfig.checkAllowedNetworks)

/** Addresses that cannot be verified are not in it. */
export function isInPrivateNetwork({ request }: Pick<GuardedRequest, 'request'>): boolean {
  const address = verifiableAddress(request.request)
  return address !== null && allowedNetworks.includes(address)
}

/** @throws Forbidden */
export function requirePrivateNetwork(guarded: Pick<GuardedRequest, 'request'>) {
  if (isInPrivateNetwork(guarded)) return
  throw new Forbidden({ detail: 'This endpoint is available on the private network only' })
}
