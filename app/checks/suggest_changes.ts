import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { type TimeWindow, windowState } from '#app/permissions/values/time_window'
import type { ConditionResults, ResultsOf } from '#app/permissions/conditions/condition_results'
import {
  type AccessEvidence,
  decideByEvidence,
  resultsFor,
} from '#app/checks/values/access_evidence'
import type { AllowingChange } from '#app/checks/values/explanation'

interface Candidate {
  change: AllowingChange
  after: AccessEvidence
}

/** Returns the changes each of which would allow a check, as the evaluator confirms. */
export function suggestChanges(
  evidence: AccessEvidence,
  results: ConditionResults,
  needed?: AccessLevel,
  resultsOf?: ResultsOf
): AllowingChange[] {
  const wait = waitForWindow(evidence, needed, resultsOf)
  const changes = [
    ...activateUser(evidence),
    ...removeOverride(evidence),
    ...grantOverride(evidence, needed),
    ...assignRole(evidence),
    ...addAdministrator(evidence),
  ]
    .filter(({ after }) => isAllowed(after, results, needed))
    .map(({ change }) => change)
  return wait === null ? changes : [wait, ...changes]
}

function isAllowed(
  evidence: AccessEvidence,
  results: ConditionResults,
  needed: AccessLevel | undefined
) {
  return satisfies(decideByEvidence(evidence, results).level, needed)
}

/** Further ones are not tried, because conditions can depend on the time. */
const MAX_MOMENTS = 10

/** The first time at which the check is allowed because a window begins or ends. */
function waitForWindow(
  evidence: AccessEvidence,
  needed: AccessLevel | undefined,
  resultsOf: ResultsOf | undefined
) {
  const { superAdmin, applicationAdmin, override, roles, now: asked } = evidence
  const windows: TimeWindow[] = [superAdmin, applicationAdmin, override, ...roles].filter(
    (row) => row !== null
  )
  const moments = windows
    .flatMap(({ validFrom, validUntil }) => [validFrom, validUntil])
    .flatMap((moment) => (moment === null ? [] : [moment.toMillis()]))
    .filter((moment) => moment > asked)
    .sort((a, b) => a - b)
    .slice(0, MAX_MOMENTS)
  const total = { units: 0 }
  const first = moments.find((now) => {
    const then = { ...evidence, now }
    return isAllowed(then, resultsFor(then, resultsOf, total), needed)
  })
  if (first === undefined) return null
  const from = isoTimestamp(DateTime.fromMillis(first, { zone: 'utc' }))
  return { kind: 'wait' as const, from }
}

const ALWAYS: TimeWindow = { validFrom: null, validUntil: null }

function activateUser(evidence: AccessEvidence): Candidate[] {
  const { user, scope } = evidence
  if (!user || user.active) return []
  const after = { ...evidence, user: { ...user, active: true } }
  return [{ change: { kind: 'activate', email: scope.email }, after }]
}

function removeOverride(evidence: AccessEvidence): Candidate[] {
  const { definition, override } = evidence
  if (!definition || !override) return []
  const change = { ...overrideChange(evidence, definition.id), change: 'remove' as const }
  return [{ change: { ...change, accessLevel: null }, after: { ...evidence, override: null } }]
}

function grantOverride(evidence: AccessEvidence, needed: AccessLevel | undefined): Candidate[] {
  const { application, definition, scope } = evidence
  if (!definition || scope.resourceType === '') return []
  if (!application?.knowsResourceType) return []
  const level: AccessLevel | null =
    definition.type === 'binary' ? null : needed === 'edit' ? 'edit' : 'view'
  const change = { ...overrideChange(evidence, definition.id), change: 'grant' as const }
  const after = {
    ...evidence,
    override: { id: 0, granted: true, level, condition: null, ...ALWAYS },
  }
  return [{ change: { ...change, accessLevel: level }, after }]
}

function overrideChange({ scope }: AccessEvidence, permissionId: number) {
  const { resourceType, resourceId } = scope
  return { kind: 'override' as const, permissionId, resourceType, resourceId }
}

/** Suggests the role with the lowest level first. */
function assignRole(evidence: AccessEvidence): Candidate[] {
  return evidence.roles.toReversed().flatMap((role) => {
    const { id: roleId, code, level: accessLevel, assignmentId } = role
    if (accessLevel === null) return []
    if (assignmentId !== null && windowState(role, evidence.now) === 'active') return []
    const change = { application: evidence.scope.app, roleId, role: code, accessLevel }
    const roles = evidence.roles.map((each) =>
      each === role ? { ...role, ...ALWAYS, assignmentId: 0 } : each
    )
    return [{ change: { kind: 'role' as const, ...change }, after: { ...evidence, roles } }]
  })
}

function addAdministrator(evidence: AccessEvidence): Candidate[] {
  if (!evidence.application) return []
  const after = { ...evidence, applicationAdmin: { id: 0, ...ALWAYS } }
  return [{ change: { kind: 'administrator', application: evidence.scope.app }, after }]
}
