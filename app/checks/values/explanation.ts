import type { AccessLevel } from '#app/permissions/values/access_level'
import type { Decision, RuleNumber } from '#app/checks/values/decision'

/** Why a check says what it says (checks.md#explanation-fields). */
export interface Explanation extends Pick<Decision, 'source' | 'decidedBy'> {
  allowed: boolean
  /** What the user holds, which may be less than the level asked for. */
  accessLevel: AccessLevel | null
  /** The rules of checks.md#explanation-steps that were tried, in their order; the last one decided. */
  steps: ExplanationStep[]
  /** For a "no": each of these alone would make it a "yes". The narrowest come first. */
  wouldAllow: AllowingChange[]
}

export interface ExplanationStep {
  rule: RuleNumber
  outcome: 'passed' | 'decided' | 'skipped'
  evidence: CitedRow[]
}

/** A stored row that a rule looked at. */
export interface CitedRow {
  kind: 'user' | 'administrator' | 'override' | 'role_assignment'
  id: number
  description: string
}

export type AllowingChange =
  | { kind: 'activate'; email: string }
  | {
      kind: 'override'
      /** Take away the override there is, or grant in its place. */
      change: 'remove' | 'grant'
      permissionId: number
      resourceType: string
      resourceId: string
      accessLevel: AccessLevel | null
    }
  | { kind: 'role'; application: string; roleId: number; role: string; accessLevel: AccessLevel }
  | { kind: 'administrator'; application: string }
