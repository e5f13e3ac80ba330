import type { IncomingMessage } from 'node:http'
import authConfig from '#config/auth'
import docsConfig from '#config/docs'

/** Where a route is served, by its guards. */
const SERVED_BY: Record<string, (request: IncomingMessage) => boolean> = {
  internalKey: servesInternal,
  privateNetwork: servesChecks,
  docs: () => docsConfig.access !== 'off',
}

/** With `INTERNAL_PORT` set, `/api/internal/*` exists on that listener only. */
export function servesInternal(request: IncomingMessage): boolean {
  return authConfig.internalListener.port === undefined || isInternal(request)
}

/**
 * Checks and metrics exist on the internal listener, and on the public one if the settings allow
 * it.
 */
export function servesChecks(request: IncomingMessage): boolean {
  return authConfig.servesChecksPublicly || isInternal(request)
}

/** Whether routes with these guards exist on the listener that took the request. */
export function isServedHere(guards: Iterable<string>, request: IncomingMessage): boolean {
  for (const guard of guards) if (SERVED_BY[guard]?.(request) === false) return false
  return true
}

function isInternal({ socket }: IncomingMessage) {
  return socket.localPort === authConfig.internalListener.port
}
