import type { HttpContext } from '@adonisjs/core/http'

/** An `HttpContext` is one. */
export interface NamedCaller {
  caller?: { email: string }
  keyName?: string
}

/** The caller in logs: an e-mail address or the name of a key. */
export function callerName({ caller, keyName }: NamedCaller): string | undefined {
  return caller?.email ?? keyName
}

/** The caller in limits. All keys of one application count as one caller. */
export function callerKey({ caller, keyName, keyOwner }: HttpContext): string {
  return caller ? `user:${caller.email}` : `key:${keyOwner ?? keyName}`
}
