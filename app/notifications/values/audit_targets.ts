// What entries of the audit trail are about.

export const typeTarget = ({ id, code }: { id: number; code: string }) => {
  return { kind: 'notification_type' as const, id, label: code }
}

export const templateTarget = ({ id, key }: { id: number; key: string }) => {
  return { kind: 'template' as const, id, label: key }
}
