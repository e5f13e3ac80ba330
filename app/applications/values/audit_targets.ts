import type { AuditTarget } from '#core/audit/change'

interface Coded {
  id: number
  code: string
}

interface Named {
  id: number
  name: string
}

export const applicationTarget = ({ id, code }: Coded): AuditTarget => {
  return { kind: 'application', id, label: code }
}

export const entityTarget = ({ id, code }: Coded): AuditTarget => {
  return { kind: 'entity', id, label: code }
}

export const instanceTarget = ({ id, name }: Named): AuditTarget => {
  return { kind: 'instance', id, label: name }
}

export const keyTarget = ({ id, name }: Named): AuditTarget => {
  return { kind: 'application_key', id, label: name }
}
