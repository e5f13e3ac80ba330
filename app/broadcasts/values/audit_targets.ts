import type { AuditTarget } from '#core/audit/change'

export const broadcastTarget = ({ id, type }: { id: number; type: string }): AuditTarget => {
  return { kind: 'broadcast', id, label: type }
}
