import { isoTimestamp } from '#core/values/iso_timestamp'
import type { AuditState } from '#core/audit/change'
import type { ActorKind } from '#core/audit/audit_actor'
import type { AuditAction } from '#core/audit/audit_actions'
import type AuditEntry from '#app/audit/models/audit_entry'

/** What the hash of an entry covers. */
export function auditedChange(entry: AuditEntry) {
  return {
    id: entry.id,
    at: isoTimestamp(entry.at),
    actor: {
      kind: entry.actorKind as ActorKind,
      email: entry.actorEmail,
      name: entry.actorName,
    },
    action: entry.action as AuditAction,
    application: entry.application,
    target: { kind: entry.targetKind, id: entry.targetId, label: entry.targetLabel },
    email: entry.email,
    before: stateOf(entry.stateBefore),
    after: stateOf(entry.stateAfter),
    requestId: entry.requestId,
    address: entry.address,
    reason: entry.reason,
  }
}

/** `sequence` and `hash` are null until the entry has its place in the chain. */
export function auditEntryResource(entry: AuditEntry) {
  const { sequence, hash, redacted } = entry
  return { ...auditedChange(entry), sequence, hash, redacted }
}

const stateOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as AuditState))
