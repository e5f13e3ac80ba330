import type { GuardedRequest } from '#core/http/guarded_request'
import { requireCheckKey } from '#app/auth/values/require_check_key'
import { requireCheckListener } from '#app/auth/values/require_internal_listener'
import { requirePrivateNetwork } from '#app/auth/values/require_private_network'

/**
 * Requires the private network, and a check key if the operator has set any.
 *
 * @throws NotFound, Forbidden, InvalidSecret, TooManyFailures
 */
export function requireCheckAccess(request: GuardedRequest) {
  requireCheckListener(request)
  requirePrivateNetwork(request)
  requireCheckKey(request)
}
