import { rateLimits } from '#config/limiter'
import { RateLimited } from '#core/exceptions/problems'
import type { GuardedRequest } from '#core/http/guarded_request'
import { clientNetwork } from '#core/network/client_address'
import { WindowCounter } from '#core/network/window_counter'

const limit = rateLimits.failedAuthentication
const failures = new WindowCounter()

export class TooManyFailures extends RateLimited {}

/** Guards call this before they read credentials. @throws TooManyFailures */
export function requireFewFailures({ clientAddress }: Pick<GuardedRequest, 'clientAddress'>) {
  const client = clientNetwork(clientAddress)
  if (limit === 0 || failures.count(client) < limit) return
  throw new TooManyFailures({
    detail: 'Too many failed authentication attempts from this address',
    headers: { 'retry-after': String(failures.secondsLeft(client)) },
  })
}

export function countFailure({ clientAddress }: Pick<GuardedRequest, 'clientAddress'>) {
  if (limit > 0) failures.add(clientNetwork(clientAddress))
}
