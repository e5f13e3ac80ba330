import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import type { ConditionResult } from '#app/permissions/conditions/condition'
import { type TimeWindow, windowResource, windowState } from '#app/permissions/values/time_window'
import { ignoresOverrides } from '#app/checks/evaluate'
import type { ConditionResults, ResultsOf } from '#app/permissions/conditions/condition_results'
import {
  type AccessEvidence,
  decideByEvidence,
  resultsFor,
} from '#app/checks/values/access_evidence'
import type { RuleNumber } from '#app/checks/values/decision'
import type {
  CitedCondition,
  CitedRow,
  Explanation,
  ExplanationStep,
} from '#app/checks/values/explanation'
import { suggestChanges } from '#app/checks/suggest_changes'

const RULES: RuleNumber[] = [1, 2, 3, 4, 5, 6]

export function explain(
  evidence: AccessEvidence,
  needed?: AccessLevel,
  resultsOf?: ResultsOf
): Explanation {
  const results = resultsFor(evidence, resultsOf)
  const { level, source, decidedBy } = decideByEvidence(evidence, results)
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
      evidence: citedRows(rule, evidence, results),
    })),
    wouldAllow: allowed ? [] : suggestChanges(evidence, results, needed, resultsOf),
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

function citedRows(
  rule: RuleNumber,
  evidence: AccessEvidence,
  results: ConditionResults
): CitedRow[] {
  const { scope, user, superAdmin, applicationAdmin, override } = evidence
  const { email, app } = scope
  const by: Cite = (kind, row, description) =>
    cite(row, { kind, description, now: evidence.now, results })
  switch (rule) {
    case 1: {
      const description = `${email} is ${user?.active ? 'active' : 'inactive'}`
      return user ? [{ kind: 'user', id: user.id, description }] : []
    }
    case 2:
      return by('administrator', superAdmin, `${email} is a super admin`)
    case 3:
      return by('administrator', applicationAdmin, `${email} administers ${app}`)
    case 4:
      return skipsOverrides(evidence) ? [] : by('override', override, describeOverride(evidence))
    case 5:
      return citeAssignments(evidence, by)
    case 6:
      return []
  }
}

interface CitableRow extends TimeWindow {
  id: number
  condition?: string | null
}

type Cite = (kind: CitedRow['kind'], row: CitableRow | null, description: string) => CitedRow[]

interface Citation {
  kind: CitedRow['kind']
  description: string
  now: number
  results: ConditionResults
}

/** Says when the row counts, and whether its condition holds. */
function cite(row: CitableRow | null, { kind, description, now, results }: Citation): CitedRow[] {
  if (row === null) return []
  const cited: CitedRow = { kind, id: row.id, description }
  const remarks: string[] = []
  if (row.validFrom !== null || row.validUntil !== null) {
    cited.window = windowResource(row, now)
    remarks.push(describeWindow(row, now))
  }
  if (row.condition) {
    const result = results(row.condition)
    cited.condition = citedCondition(row.condition, result)
    remarks.push(describeCondition(result))
  }
  cited.description = [description, ...remarks.filter((remark) => remark !== '')].join('; ')
  return [cited]
}

function describeWindow(row: TimeWindow, now: number): string {
  const { validFrom, validUntil } = windowResource(row, now)
  switch (windowState(row, now)) {
    case 'scheduled':
      return `begins on ${validFrom}`
    case 'ended':
      return `ended on ${validUntil}`
    case 'active':
      return validUntil === null ? '' : `ends on ${validUntil}`
  }
}

function citedCondition(expression: string, result: ConditionResult): CitedCondition {
  const unknown = { expression, value: null, missing: null, error: null }
  if ('value' in result) return { ...unknown, value: result.value }
  return 'missing' in result
    ? { ...unknown, missing: result.missing }
    : { ...unknown, error: result.failed }
}

function describeCondition(result: ConditionResult): string {
  if ('value' in result) return `its condition is ${result.value}`
  return 'missing' in result
    ? `its condition needs ${result.missing}`
    : `its condition cannot be evaluated: ${result.failed}`
}

function describeOverride({ scope, permission, override }: AccessEvidence) {
  const effect = override?.granted ? `granted${atLevel(override.level)}` : 'denied'
  return `${permission} on ${scope.resourceType} ${scope.resourceId} is ${effect}`
}

/** Cites the roles that grant the permission; if none does, all roles of the user. */
function citeAssignments(evidence: AccessEvidence, by: Cite): CitedRow[] {
  const { roles, permission } = evidence
  const held = roles.filter(({ assignmentId }) => assignmentId !== null)
  const giving = held.filter(({ level }) => level !== null)
  return (giving.length > 0 ? giving : held).flatMap((role) => {
    const row = { ...role, id: role.assignmentId! }
    const description =
      role.level === null
        ? `Role ${role.code} does not grant ${permission}`
        : `Role ${role.code} grants ${permission}${atLevel(role.level)}`
    return by('role_assignment', row, description)
  })
}

function atLevel(level: AccessLevel | null) {
  return level === null || level === 'allowed' ? '' : ` at ${level}`
}
