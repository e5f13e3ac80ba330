import type { AuditTarget } from '#core/audit/change'

interface Coded {
  id: number
  code: string
}

export const roleTarget = ({ id, code }: Coded): AuditTarget => ({ kind: 'role', id, label: code })

export const permissionTarget = ({ id, code }: Coded): AuditTarget => {
  return { kind: 'permission', id, label: code }
}
