import { HttpContext } from '@adonisjs/core/http'
import logger from '@adonisjs/core/services/logger'
import { callerName } from '#core/http/caller_name'

/** What a security event is about; operators filter and alert on these names. */
export const SECURITY_EVENT_TYPES = [
  'auth_failed',
  'email_not_verified',
  'forbidden',
  'identity_changed',
  'identity_conflict',
  'instance_approved',
  'key_created',
  'key_revoked',
  'mail_account_changed',
  'outside_recipients_changed',
  'provider_client_changed',
  'rate_limited',
  'super_admin_changed',
] as const

export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number]

export interface SecurityEventFacts {
  /**
   * Who did it, if it is not the caller of the request: a canonical address or the name of a key.
   */
  actor?: string
  /** The client's address, when the event is raised outside a request's context. */
  address?: string
  /** Further details; never a secret or a token. */
  [fact: string]: unknown
}

/**
 * Writes one line with `event: 'security'`, its type, the actor, the client's address and the
 * request's id, whatever the code that raises it. authentication.md#security-event-types lists all
 * types.
 */
export function logSecurityEvent(
  type: SecurityEventType,
  message: string,
  facts: SecurityEventFacts = {}
) {
  logger.warn({ event: 'security', type, ...requestFacts(), ...facts }, message)
}

/** The logger itself adds the request's id. */
function requestFacts() {
  const ctx = HttpContext.get()
  if (ctx === null) return {}
  return { actor: callerName(ctx), address: ctx.clientAddress }
}
