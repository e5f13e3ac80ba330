import { HttpContext } from '@adonisjs/core/http'
import logger from '@adonisjs/core/services/logger'
import { callerName } from '#core/http/caller_name'

/** Operators filter and alert on these names. */
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
  'panel_sessions_ended',
  'panel_sign_in',
  'provider_client_changed',
  'rate_limited',
  'super_admin_changed',
  'user_erased',
  'user_status_changed',
] as const

export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number]

export interface SecurityEventFacts {
  /** If it is not the caller of the request. */
  actor?: string
  /** The client's address, for events outside a request. */
  address?: string
  /** Never a secret or a token. */
  [fact: string]: unknown
}

/** Logs one line with `event: 'security'` (authentication.md#security-event-types). */
export function logSecurityEvent(
  type: SecurityEventType,
  message: string,
  facts: SecurityEventFacts = {}
) {
  logger.warn({ event: 'security', type, ...requestFacts(), ...facts }, message)
}

function requestFacts() {
  const ctx = HttpContext.get()
  if (ctx === null) return {}
  return { actor: callerName(ctx), address: ctx.clientAddress }
}
