import type { DateTime } from 'luxon'

/** The identity that a verified token states. */
export interface Identity {
  /** Canonical e-mail address, the identity everything else refers to. */
  email: string
  /** The identity provider's user id (`sub`). */
  subject: string
  issuedAt: DateTime
  /** When the token ends, in milliseconds since 1970. */
  expiresAt: number
  /** Names as the token (or userinfo) states them, absent where it does not. */
  names: { firstName?: string; lastName?: string; displayName?: string }
  /** Organisation that owns the user at the identity provider, when the token says so. */
  organisationId: string | null
  /** The token itself, for calls made on the caller's behalf. */
  token: string
}

/** The person behind a verified token, to whose account the record belongs. */
export interface Caller extends Identity {
  /** False for deactivated people, whom only a few routes accept. */
  isActive: boolean
}

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `token` guard. */
    caller: Caller
  }
}
