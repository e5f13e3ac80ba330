import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { evaluate } from '#app/checks/evaluate'
import { type AccessEvidence, factsFromEvidence } from '#app/checks/values/access_evidence'
import type { AllowingChange } from '#app/checks/values/explanation'

interface Candidate {
  change: AllowingChange
  after: AccessEvidence
}

/** Returns the changes each of which would allow a check, as the evaluator confirms. */
export function suggestChanges(evidence: AccessEvidence, needed?: AccessLevel): AllowingChange[] {
  return [
    ...activateUser(evidence),
    ...removeOverride(evidence),
    ...grantOverride(evidence, needed),
    ...assignRole(evidence),
    ...addAdministrator(evidence),
  ]
    .filter(({ after }) => {
      const { level } = evaluate(factsFromEvidence(after), after.permission)
      return satisfies(level, needed)
    })
    .map(({ change }) => change)
}

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
  const level = definition.type === 'binary' ? null : needed === 'edit' ? 'edit' : 'view'
  const change = { ...overrideChange(evidence, definition.id), change: 'grant' as const }
  const after = { ...evidence, override: { id: 0, granted: true, level } as const }
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
    if (assignmentId !== null || accessLevel === null) return []
    const change = { application: evidence.scope.app, roleId, role: code, accessLevel }
    const roles = evidence.roles.map((each) =>
      each === role ? { ...role, assignmentId: 0 } : each
    )
    return [{ change: { kind: 'role' as const, ...change }, after: { ...evidence, roles } }]
  })
}

function addAdministrator(evidence: AccessEvidence): Candidate[] {
  if (!evidence.application) return []
  const after = { ...evidence, applicationAdmin: { id: 0 } }
  return [{ change: { kind: 'administrator', application: evidence.scope.app }, after }]
}
