import { stringify } from 'csv-stringify/sync'
import type { AuditEntryResource } from '#app/audit/transformers/audit_entry_resource'

const COLUMNS = [
  'id',
  'at',
  'actorKind',
  'actorEmail',
  'actorName',
  'action',
  'application',
  'targetKind',
  'targetId',
  'targetLabel',
  'email',
  'before',
  'after',
  'requestId',
  'address',
  'reason',
  'sequence',
  'hash',
  'salt',
  'redacted',
]

/** With a header line. States are JSON. Spreadsheets do not read any text as a formula. */
export function auditCsv(entries: AuditEntryResource[]): string {
  return stringify(entries.map(rowOf), {
    header: true,
    columns: COLUMNS,
    cast: { boolean: String },
    escape_formulas: true,
  })
}

function rowOf({ actor, target, before, after, ...rest }: AuditEntryResource) {
  return {
    ...rest,
    actorKind: actor.kind,
    actorEmail: actor.email,
    actorName: actor.name,
    targetKind: target.kind,
    targetId: target.id,
    targetLabel: target.label,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  }
}
