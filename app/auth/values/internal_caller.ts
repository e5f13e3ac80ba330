import type { DateTime } from 'luxon'
import { KeyNotForApplication } from '#app/auth/exceptions'

/** The caller of `/api/internal`: a server of the platform or of one application. */
export type InternalCaller = { kind: 'platform' } | ApplicationCaller

interface ApplicationCaller {
  kind: 'application'
  applicationId: number
  appCode: string
  /** What was stored under the code before is a former application's. */
  appCreatedAt: DateTime
  keyId: number
  name: string
}

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `internalKey` guard. */
    internalCaller: InternalCaller
  }
}

/** The one application that the caller is confined to; null for the platform's own servers. */
export const confinedTo = (caller: InternalCaller): string | null =>
  caller.kind === 'application' ? caller.appCode : null

/**
 * Call this before any lookup, so that a key cannot find out what other applications have.
 *
 * @throws KeyNotForApplication
 */
export function requireApplication(caller: InternalCaller, appCode: string) {
  const only = confinedTo(caller)
  if (only !== null && only !== appCode) throw new KeyNotForApplication()
}
