import type { DateTime } from 'luxon'
import { KeyNotForApplication } from '#app/auth/exceptions'

export type InternalCaller = { kind: 'platform' } | ApplicationCaller

interface ApplicationCaller {
  kind: 'application'
  applicationId: number
  appCode: string
  /** Older data under the same code belongs to a deleted application. */
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

/** The only application the caller has access to; null for the platform's own servers. */
export const restrictedAppCode = (caller: InternalCaller): string | null =>
  caller.kind === 'application' ? caller.appCode : null

/** Call this before any lookup: a key must not reveal data of other applications. */
export function requireApplicationAccess(caller: InternalCaller, appCode: string) {
  const only = restrictedAppCode(caller)
  if (only !== null && only !== appCode) throw new KeyNotForApplication()
}
