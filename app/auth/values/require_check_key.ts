import type { HttpContext } from '@adonisjs/core/http'
import authConfig from '#config/auth'
import { requireFewFailures } from '#core/network/failed_authentication'
import { InvalidSecret } from '#app/auth/exceptions'
import { SharedSecrets } from '#app/auth/values/shared_secrets'

const HEADER = 'X-Check-Key'
const checkKeys = new SharedSecrets('CHECK_KEYS', authConfig.checkKeys)

/**
 * Requires a check key if the operator has set any.
 *
 * @throws InvalidSecret, TooManyFailures
 */
export function requireCheckKey(ctx: HttpContext) {
  if (authConfig.checkKeys.length === 0) return
  requireFewFailures(ctx)
  const name = checkKeys.nameOf(ctx.request.header(HEADER))
  if (name === null) throw new InvalidSecret(HEADER)
  ctx.keyName = name
}
