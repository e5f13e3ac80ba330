import type { HttpContext } from '@adonisjs/core/http'
import { NotFound } from '#core/exceptions/problems'
import { servesChecks, servesInternal } from '#core/network/internal_listener'

/** @throws NotFound */
export function requireInternalListener({ request }: HttpContext) {
  if (!servesInternal(request.request)) throw new NotFound()
}

/** @throws NotFound */
export function requireCheckListener({ request }: HttpContext) {
  if (!servesChecks(request.request)) throw new NotFound()
}
