import { KeyNotForApplication } from '#app/auth/exceptions'

/** Whose server asks `/api/internal`: one of the platform, or one of a single application. */
export type InternalCaller =
  { kind: 'platform' } | { kind: 'application'; appCode: string; keyId: number; name: string }

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
 * Asks for it before anything is looked up, so that an application's key cannot tell what others have.
 *
 * @throws KeyNotForApplication
 */
export function requireApplication(caller: InternalCaller, appCode: string) {
  const only = confinedTo(caller)
  if (only !== null && only !== appCode) throw new KeyNotForApplication()
}
