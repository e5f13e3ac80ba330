interface Coded {
  id: number
  code: string
}

// What entries of the audit trail are about.

export const roleTarget = ({ id, code }: Coded) => {
  return { kind: 'role' as const, id, label: code }
}

export const permissionTarget = ({ id, code }: Coded) => {
  return { kind: 'permission' as const, id, label: code }
}
