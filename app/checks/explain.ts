import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { evaluate, ignoresOverrides } from '#app/checks/evaluate'
import { type AccessEvidence, factsFromEvidence } from '#app/checks/values/access_evidence'
import type { RuleNumber } from '#app/checks/values/decision'
import type { CitedRow, Explanation, ExplanationStep } from '#app/checks/values/explanation'
import { suggestChanges } from '#app/checks/suggest_changes'

const RULES: RuleNumber[] = [1, 2, 3, 4, 5, 6]

export function explain(evidence: AccessEvidence, needed?: AccessLevel): Explanation {
  const { level, source, decidedBy } = evaluate(factsFromEvidence(evidence), evidence.permission)
  const allowed = satisfies(level, needed)
  return {
    allowed,
    accessLevel: level,
    source,
    decidedBy,
    unknown: unknownPart(evidence),
    steps: RULES.slice(0, decidedBy).map((rule) => ({
      rule,
      outcome: rule === decidedBy ? 'decided' : undecidedOutcome(rule, evidence),
      evidence: citedRows(rule, evidence),
    })),
    wouldAllow: allowed ? [] : suggestChanges(evidence, needed),
  }
}

function unknownPart({ application, definition }: AccessEvidence): Explanation['unknown'] {
  if (application === null) return 'application'
  return definition === null ? 'permission' : null
}

function undecidedOutcome(rule: RuleNumber, evidence: AccessEvidence): ExplanationStep['outcome'] {
  return rule === 4 && skipsOverrides(evidence) ? 'skipped' : 'passed'
}

function skipsOverrides({ scope, definition }: AccessEvidence) {
  return scope.resourceType === '' || (definition !== null && ignoresOverrides(definition))
}

function citedRows(rule: RuleNumber, evidence: AccessEvidence): CitedRow[] {
  const { scope, user, superAdmin, applicationAdmin, override } = evidence
  const { email, app } = scope
  switch (rule) {
    case 1:
      return cite('user', user, `${email} is ${user?.active ? 'active' : 'inactive'}`)
    case 2:
      return cite('administrator', superAdmin, `${email} is a super admin`)
    case 3:
      return cite('administrator', applicationAdmin, `${email} administers ${app}`)
    case 4:
      return skipsOverrides(evidence) ? [] : cite('override', override, describeOverride(evidence))
    case 5:
      return citeAssignments(evidence)
    case 6:
      return []
  }
}

function cite(kind: CitedRow['kind'], row: { id: number } | null, description: string) {
  return row ? [{ kind, id: row.id, description }] : []
}

function describeOverride({ scope, permission, override }: AccessEvidence) {
  const effect = override?.granted ? `granted${atLevel(override.level)}` : 'denied'
  return `${permission} on ${scope.resourceType} ${scope.resourceId} is ${effect}`
}

/** Cites the roles that grant the permission; if none does, all roles of the person. */
function citeAssignments({ roles, permission }: AccessEvidence): CitedRow[] {
  const held = roles.filter(({ assignmentId }) => assignmentId !== null)
  const giving = held.filter(({ level }) => level !== null)
  return (giving.length > 0 ? giving : held).map(({ assignmentId, code, level }) => ({
    kind: 'role_assignment',
    id: assignmentId!,
    description:
      level === null
        ? `Role ${code} does not grant ${permission}`
        : `Role ${code} grants ${permission}${atLevel(level)}`,
  }))
}

function atLevel(level: AccessLevel | null) {
  return level === null || level === 'allowed' ? '' : ` at ${level}`
}
