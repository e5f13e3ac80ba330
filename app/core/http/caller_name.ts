import type { HttpContext } from '@adonisjs/core/http'

/** The caller for logs: a person's address or the name of a key; undefined if unauthenticated. */
export function callerName({ caller, keyName }: HttpContext): string | undefined {
  return caller?.email ?? keyName
}

/**
 * The caller for limits: a person by e-mail address, a server by the owner of its key, so that an
 * application gets no more by having several keys.
 */
export function callerKey({ caller, keyName, keyOwner }: HttpContext): string {
  return caller ? `person:${caller.email}` : `key:${keyOwner ?? keyName}`
}
