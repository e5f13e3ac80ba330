import type { HttpContext } from '@adonisjs/core/http'

/** Who asks, for logs: the person's address or the name of their key; undefined when nothing is proven. */
export function callerName({ caller, keyName }: HttpContext): string | undefined {
  return caller?.email ?? keyName
}

/** Who asks, for limits: a person by their address, a server by its key. */
export function callerKey({ caller, keyName }: HttpContext): string {
  return caller ? `person:${caller.email}` : `key:${keyName}`
}
