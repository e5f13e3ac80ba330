interface Coded {
  id: number
  code: string
}

interface Named {
  id: number
  name: string
}

// What entries of the audit trail are about.

export const applicationTarget = ({ id, code }: Coded) => {
  return { kind: 'application' as const, id, label: code }
}

export const entityTarget = ({ id, code }: Coded) => {
  return { kind: 'entity' as const, id, label: code }
}

export const instanceTarget = ({ id, name }: Named) => {
  return { kind: 'instance' as const, id, label: name }
}

export const keyTarget = ({ id, name }: Named) => {
  return { kind: 'application_key' as const, id, label: name }
}
