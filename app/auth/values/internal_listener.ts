import type { HttpContext } from '@adonisjs/core/http'
import { NotFound } from '#core/exceptions/problems'
import { isInternalListener } from '#core/network/internal_listener'

/** @throws NotFound where internal endpoints do not exist */
export function requireInternalListener({ request }: HttpContext) {
  if (!isInternalListener(request)) throw new NotFound()
}
