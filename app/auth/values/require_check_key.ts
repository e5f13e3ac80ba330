import authConfig from '#config/auth'
import type { GuardedRequest } from '#core/http/guarded_request'
import { requireFewFailures } from '#core/network/failed_authentication'
import { InvalidSecret } from '#app/auth/exceptions'
import { SharedSecrets } from '#app/auth/values/shared_secrets'

const HEADER = 'X-Check-Key'
const HEADER_NAME = 'x-check-key'
const checkKeys = new SharedSecrets('CHECK_KEYS', authConfig.checkKeys)

/**
 * Requires a check key if the operator has set any.
 *
 * @throws InvalidSecret, TooManyFailures
 */
export function requireCheckKey(guarded: GuardedRequest) {
  if (authConfig.checkKeys.length === 0) return
  requireFewFailures(guarded)
  const given = guarded.request.request.headers[HEADER_NAME]
  const name = checkKeys.nameOf(Array.isArray(given) ? undefined : given)
  if (name === null) throw new InvalidSecret(HEADER)
  guarded.keyName = name
}
