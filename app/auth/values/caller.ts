import type { DateTime } from 'luxon'

export interface Identity {
  /** Canonical. */
  email: string
  /** The identity provider's user id (`sub`). */
  subject: string
  issuedAt: DateTime
  /** In milliseconds since 1970. */
  expiresAt: number
  names: { firstName?: string; lastName?: string; displayName?: string }
  /** The user's organisation at the identity provider, if the token names it. */
  organisationId: string | null
  /** For calls on the caller's behalf. */
  token: string
}

/** Whom a token of a machine user names. */
export interface MachineIdentity {
  /** Its user id at the identity provider (`sub`). */
  subject: string
  /** The clients to which the token was issued (`client_id`, `azp`). */
  clients: string[]
  /** Whether the token names an e-mail address, as those of people do. */
  hasAddress: boolean
}

/** The user behind a verified token, whose account is bound to their record. */
export interface Caller extends Identity {
  isActive: boolean
  /** Of the session of the panel that stands for the token. */
  sessionId?: number
}

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `token` guard. */
    caller: Caller
  }
}
