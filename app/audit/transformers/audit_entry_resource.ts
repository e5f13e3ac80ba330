import { isoTimestamp } from '#core/values/iso_timestamp'
import type { AuditState } from '#core/audit/change'
import type { ActorKind } from '#core/audit/audit_actor'
import type { AuditAction } from '#core/audit/audit_actions'
import type AuditEntry from '#app/audit/models/audit_entry'

/** What the hash of an entry covers, with its salt. */
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

/**
 * An entry with its place in the chain, which is null until it has one. Only for callers who see
 * all entries: the hash of one that they see would confirm guesses about one that they do not see.
 */
export function auditEntryResource(entry: AuditEntry) {
  const { sequence, hash, salt, redacted } = entry
  return { ...auditedChange(entry), sequence, hash, salt, redacted }
}

/** The same without the place, for all other callers. */
export function unchainedEntryResource(entry: AuditEntry): AuditEntryResource {
  return { ...auditEntryResource(entry), sequence: null, hash: null, salt: null }
}

export type AuditEntryResource = ReturnType<typeof auditEntryResource>

const stateOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as AuditState))
