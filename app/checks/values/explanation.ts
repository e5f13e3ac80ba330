import type { AccessLevel } from '#app/permissions/values/access_level'
import type { WindowState } from '#app/permissions/values/time_window'
import type { Decision, RuleNumber } from '#app/checks/values/decision'

/** See checks.md#explanation-fields. */
export interface Explanation extends Pick<Decision, 'source' | 'decidedBy'> {
  allowed: boolean
  /** The level that the user has. It can be lower than the requested level. */
  accessLevel: AccessLevel | null
  /** The part of the check that does not exist (checks.md#unknown-codes). */
  unknown: 'application' | 'permission' | null
  /** The rules that were tried, in order. The last one decided (checks.md#explanation-steps). */
  steps: ExplanationStep[]
  /**
   * If the check is denied: changes, each of which would be enough to allow it, narrowest first.
   */
  wouldAllow: AllowingChange[]
}

export interface ExplanationStep {
  rule: RuleNumber
  outcome: 'passed' | 'decided' | 'skipped'
  evidence: CitedRow[]
}

/** A stored row that a rule read. */
export interface CitedRow {
  kind: 'user' | 'administrator' | 'override' | 'role_assignment'
  id: number
  description: string
  /** When the row counts; absent if always. */
  window?: { validFrom: string | null; validUntil: string | null; state: WindowState }
  /** Absent if the row has none. */
  condition?: CitedCondition
}

export interface CitedCondition {
  /** In CEL. */
  expression: string
  /** Null if it could not be evaluated. */
  value: boolean | null
  /** The first attribute that it needs and that neither the check nor the catalog has. */
  missing: string | null
  /** Why it could not be evaluated, if no attribute is missing. */
  error: string | null
}

export type AllowingChange =
  /** Nothing changes until this time; a time window begins or ends then. */
  | { kind: 'wait'; from: string }
  | { kind: 'activate'; email: string }
  | {
      kind: 'override'
      /** Whether to remove the existing override or to grant one. */
      change: 'remove' | 'grant'
      permissionId: number
      resourceType: string
      resourceId: string
      accessLevel: AccessLevel | null
    }
  | { kind: 'role'; application: string; roleId: number; role: string; accessLevel: AccessLevel }
  | { kind: 'administrator'; application: string }
