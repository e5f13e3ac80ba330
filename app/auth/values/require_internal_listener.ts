import { NotFound } from '#core/exceptions/problems'
import type { GuardedRequest } from '#core/http/guarded_request'
import { servesChecks, servesInternal } from '#core/network/internal_listener'

/** @throws NotFound */
export function requireInternalListener({ request }: Pick<GuardedRequest, 'request'>) {
  if (!servesInternal(request.request)) throw new NotFound()
}

/** @throws NotFound */
export function requireCheckListener({ request }: Pick<GuardedRequest, 'request'>) {
  if (!servesChecks(request.request)) throw new NotFound()
}
