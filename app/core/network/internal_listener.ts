import type { HttpRequest } from '@adonisjs/core/http'
import authConfig from '#config/auth'

const INTERNAL_PATHS = /^\/(?:api\/(?:check|internal)|metrics)(?:\/|$)/

/** With `INTERNAL_PORT` set, internal endpoints exist on that listener only (decisions 2.4). */
export function isInternalListener({ request }: HttpRequest): boolean {
  const { port } = authConfig.internalListener
  return port === undefined || request.socket.localPort === port
}

/** Whether this listener must not even say which methods a path has. */
export function isHiddenHere(request: HttpRequest): boolean {
  return INTERNAL_PATHS.test(request.url()) && !isInternalListener(request)
}
