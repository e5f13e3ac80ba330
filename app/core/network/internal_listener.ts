import type { IncomingMessage } from 'node:http'
import authConfig from '#config/auth'
import docsConfig from '#config/docs'

/** Whether a listener serves routes with this guard. */
const LISTENER_RULES: Record<string, (request: IncomingMessage) => boolean> = {
  internalKey: servesInternal,
  privateNetwork: servesChecks,
  docs: () => docsConfig.access !== 'off',
}

/** With `INTERNAL_PORT`, `/api/internal/*` is served on that port only. */
export function servesInternal(request: IncomingMessage): boolean {
  return authConfig.internalListener.port === undefined || isInternal(request)
}

/** Checks and metrics are served on the internal listener and, if configured, on the public one. */
export function servesChecks(request: IncomingMessage): boolean {
  return authConfig.servesChecksPublicly || isInternal(request)
}

export function isServedHere(guards: Iterable<string>, request: IncomingMessage): boolean {
  for (const guard of guards) if (LISTENER_RULES[guard]?.(request) === false) return false
  return true
}

function isInternal({ socket }: IncomingMessage) {
  return socket.localPort === authConfig.internalListener.port
}
