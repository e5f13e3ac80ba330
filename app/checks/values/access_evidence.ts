import { rankOf, satisfies } from '#app/permissions/values/access_level'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import { type TimeWindow, windowState } from '#app/permissions/values/time_window'
import {
  type ConditionResults,
  type ResultsOf,
  type TotalCost,
  conditionResults,
} from '#app/permissions/conditions/condition_results'
import { evaluate } from '#app/checks/evaluate'
import { type AccessFacts, byLevelAndCondition } from '#app/checks/values/access_facts'
import { type Circumstances, conditionVariables } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import { holdsBy } from '#app/checks/values/judgement'

interface WindowedRow extends TimeWindow {
  id: number
}

/** The stored rows that decide one check, also out of their window; null if there is none. */
export interface AccessEvidence extends Circumstances {
  scope: CheckScope
  permission: string
  user: { id: number; active: boolean } | null
  superAdmin: WindowedRow | null
  /** `knowsResourceType`: whether overrides on the resource type of the check are possible. */
  application: { id: number; knowsResourceType: boolean } | null
  applicationAdmin: WindowedRow | null
  definition: { id: number; type: PermissionType; global: boolean } | null
  override: OverrideEvidence | null
  /** Roles that the user has or that grant the permission, highest level first. */
  roles: RoleEvidence[]
}

export interface OverrideEvidence extends WindowedRow {
  granted: boolean
  level: AccessLevel | null
  condition: string | null
}

/** The window is that of the assignment. */
export interface RoleEvidence extends TimeWindow {
  id: number
  code: string
  /** The level at which the role grants the permission; null if it does not. */
  level: AccessLevel | null
  /** The condition on which the role grants it. */
  condition: string | null
  /** Null if the user does not have the role. */
  assignmentId: number | null
}

function factsFromEvidence(evidence: AccessEvidence): AccessFacts {
  const { permission, definition, now } = evidence
  const isActive = (row: TimeWindow | null) => row !== null && windowState(row, now) === 'active'
  const granting = evidence.roles.filter(
    (role) => role.assignmentId !== null && role.level !== null && isActive(role)
  )
  const unconditional = granting.filter(({ condition }) => condition === null)
  return {
    active: evidence.user && evidence.user.active,
    superAdmin: isActive(evidence.superAdmin),
    applicationAdmin: isActive(evidence.applicationAdmin),
    permissions: new Map(
      definition && [
        [
          permission,
          {
            code: permission,
            type: definition.type,
            global: definition.global,
            groupName: null,
            roleLevel: unconditional.map(({ level }) => level).reduce(higher, null),
            conditionalGrants: granting
              .flatMap(({ level, condition }) =>
                condition === null ? [] : [{ level: level!, condition }]
              )
              .sort(byLevelAndCondition),
            override: isActive(evidence.override) ? evidence.override : null,
          },
        ],
      ]
    ),
    from: now,
    until: Infinity,
  }
}

/** The results of the conditions at the time of the evidence. */
export function resultsFor(
  evidence: AccessEvidence,
  resultsOf: ResultsOf = conditionResults,
  total?: TotalCost
): ConditionResults {
  const { scope, permission } = evidence
  return resultsOf(conditionVariables(scope, permission, evidence), total)
}

export function decideByEvidence(evidence: AccessEvidence, results: ConditionResults): Decision {
  return evaluate(factsFromEvidence(evidence), evidence.permission, holdsBy(results))
}

/** Removes everything about the application, as if it did not exist. */
export function redactApplication(evidence: AccessEvidence): AccessEvidence {
  return {
    ...evidence,
    application: null,
    applicationAdmin: null,
    definition: null,
    override: null,
    roles: [],
  }
}

/** Removes everything about the user outside the application, as if they were new. */
export function redactUser(evidence: AccessEvidence): AccessEvidence {
  const stored = { ...evidence.stored, subjectId: evidence.scope.email }
  return { ...evidence, stored, user: null, superAdmin: null }
}

/** The order of `roles`. */
export function byLevelAndCode(a: RoleEvidence, b: RoleEvidence) {
  return rankOf(b.level) - rankOf(a.level) || (a.code < b.code ? -1 : 1)
}

function higher(a: AccessLevel | null, b: AccessLevel | null) {
  return b !== null && !satisfies(a, b) ? b : a
}
