import type { IncomingMessage } from 'node:http'
import { rateLimits } from '#config/limiter'
import env from '#start/env'
import { RateLimited } from '#core/exceptions/problems'
import type { GuardedRequest } from '#core/http/guarded_request'
import { commaSeparated } from '#core/values/comma_separated'
import { clientNetwork } from '#core/network/client_address'
import { hasCredential, hasOnlyToken } from '#core/network/credentials'
import { Networks } from '#core/network/networks'
import { WindowCounter } from '#core/network/window_counter'

const limit = rateLimits.failedAuthentication
const failures = new WindowCounter()
const applications = new Networks(commaSeparated(env.get('APPLICATION_NETWORKS')))

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

/**
 * Whether a request that was refused counts. Servers of applications pass on what anyone sends
 * them: their wrong tokens must not lock out their keys and their other users.
 */
export function isCounted(
  { clientAddress }: Pick<GuardedRequest, 'clientAddress'>,
  { headers }: IncomingMessage
): boolean {
  return hasCredential(headers) && !(hasOnlyToken(headers) && applications.includes(clientAddress))
}

export function countFailure({ clientAddress }: Pick<GuardedRequest, 'clientAddress'>) {
  if (limit > 0) failures.add(clientNetwork(clientAddress))
}
