import type { GuardedRequest } from '#core/http/guarded_request'
import { requireFewFailures } from '#core/network/failed_authentication'
import { findAuthenticated } from '#app/auth/authenticate'
import type { Caller } from '#app/auth/values/caller'

/**
 * The caller that `authenticateRequest` would find, without waiting. Undefined if it has to look
 * anything up, or to refuse the request.
 *
 * @throws TooManyFailures
 */
export function findCaller(guarded: GuardedRequest): Caller | undefined {
  requireFewFailures(guarded)
  return findAuthenticated(guarded.request.request.headers.authorization)
}
