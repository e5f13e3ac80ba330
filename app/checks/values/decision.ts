import type { AccessLevel } from '#app/permissions/values/access_level'

export type DecisionSource = 'role' | 'override' | 'app_admin' | 'superadmin'

/** A rule of checks.md#evaluation-order. */
export type RuleNumber = 1 | 2 | 3 | 4 | 5 | 6

/** `level` and `source` are null if nothing grants the permission. */
export interface Decision {
  readonly level: AccessLevel | null
  readonly source: DecisionSource | null
  readonly decidedBy: RuleNumber
  /** The application does not define the permission. Such decisions are not cached. */
  readonly undefinedPermission?: true
}

export const INACTIVE: Decision = Object.freeze({ level: null, source: null, decidedBy: 1 })
export const SUPER_ADMIN: Decision = Object.freeze({
  level: 'edit',
  source: 'superadmin',
  decidedBy: 2,
})
export const OVERRIDE_DENIES: Decision = Object.freeze({ level: null, source: null, decidedBy: 4 })
export const NOTHING_GRANTS: Decision = Object.freeze({ level: null, source: null, decidedBy: 6 })
