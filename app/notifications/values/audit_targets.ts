import type { AuditTarget } from '#core/audit/change'

export const typeTarget = ({ id, code }: { id: number; code: string }): AuditTarget => {
  return { kind: 'notification_type', id, label: code }
}

export const templateTarget = ({ id, key }: { id: number; key: string }): AuditTarget => {
  return { kind: 'template', id, label: key }
}
