import type { HttpContext } from '@adonisjs/core/http'
import authConfig from '#config/auth'
import { NotFound } from '#core/exceptions/problems'

/**
 * With `INTERNAL_PORT` set, internal endpoints exist on that listener only (decisions 2.4).
 *
 * @throws NotFound on the public listener
 */
export function requireInternalListener({ request }: HttpContext) {
  const { port } = authConfig.internalListener
  if (port !== undefined && request.request.socket.localPort !== port) throw new NotFound()
}
