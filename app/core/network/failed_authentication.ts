import type { HttpContext } from '@adonisjs/core/http'
import rateLimits from '#config/rate_limits'
import { RateLimited } from '#core/exceptions/problems'
import { clientNetwork } from '#core/network/client_address'
import { WindowCounter } from '#core/network/window_counter'

const limit = rateLimits.failedAuthentication
const failures = new WindowCounter()

/** A client has sent too many wrong credentials. */
export class TooManyFailures extends RateLimited {}

/**
 * Every guard that takes a credential calls this first. A client above the limit learns nothing
 * more, not even that a guess is right.
 *
 * @throws TooManyFailures
 */
export function requireFewFailures({ clientAddress }: HttpContext) {
  const client = clientNetwork(clientAddress)
  if (limit === 0 || failures.count(client) < limit) return
  throw new TooManyFailures({
    detail: 'Too many failed authentication attempts from this address',
    headers: { 'retry-after': String(failures.secondsLeft(client)) },
  })
}

/** Counts a request whose credential was refused. */
export function countFailure({ clientAddress }: HttpContext) {
  if (limit > 0) failures.add(clientNetwork(clientAddress))
}
