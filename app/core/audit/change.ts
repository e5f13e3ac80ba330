import type { AuditAction } from '#core/audit/audit_actions'

/** Fields of what changed, as the API shows them, so without secrets. */
export type AuditState = Record<string, unknown>

/** What changed. Its label is what administrators call it, such as the code of a role. */
export interface AuditTarget {
  kind: string
  id: number | string
  label: string
}

/** One change that an administrator, a server, a command, the provider or the service makes. */
export interface Change {
  action: AuditAction
  /** The application that it belongs to; null for the platform. */
  application: { id: number; code: string } | null
  target: AuditTarget
  /** Null if it did not exist. */
  before: AuditState | null
  /** Null if it no longer exists. */
  after: AuditState | null
  /** The user whose access or record changed. */
  email?: string
}
