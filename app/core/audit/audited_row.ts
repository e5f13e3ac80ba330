import type { AuditAction } from '#core/audit/audit_actions'
import type { AuditState, AuditTarget, Change } from '#core/audit/change'

/** Kinds of rows that are created, updated and deleted. */
type Kind = AuditAction extends infer Action
  ? Action extends `${infer Updated}.updated`
    ? Updated
    : never
  : never

/** A row as the audit trail shows it at one moment. */
export interface AuditedRow extends Pick<Change, 'application'> {
  target: AuditTarget & { kind: Kind }
  state: AuditState
}

export function creationOf({ application, target, state }: AuditedRow): Change {
  return { action: `${target.kind}.created`, application, target, before: null, after: state }
}

/** The entry has the new name of the row. */
export function updateOf(former: AuditedRow, { application, target, state }: AuditedRow): Change {
  const states = { before: former.state, after: state }
  return { action: `${target.kind}.updated`, application, target, ...states }
}

export function deletionOf({ application, target, state }: AuditedRow): Change {
  return { action: `${target.kind}.deleted`, application, target, before: state, after: null }
}
