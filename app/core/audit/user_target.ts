import type { AuditTarget } from '#core/audit/change'

/** For whatever changes about a user. */
export const userTarget = (email: string): AuditTarget => {
  return { kind: 'user', id: email, label: email }
}
