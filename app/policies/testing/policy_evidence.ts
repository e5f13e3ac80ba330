import { DateTime } from 'luxon'
import { type AccessEvidence, byLevelAndCode } from '#app/checks/values/access_evidence'
import { NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { checkScope } from '#app/checks/values/check_scope'
import type { TimeWindow } from '#app/permissions/values/time_window'
import type { Expectation, GivenUser, PolicyTest } from '#app/policies/testing/tests_validator'
import type {
  PolicyAdministrator,
  PolicyDocument,
  PolicyOverride,
  PolicyRoleAssignment,
} from '#app/policies/values/policy_document'

const ALWAYS: TimeWindow = { validFrom: null, validUntil: null }
/** Rows of a document have no ids. */
const NO_ID = 0

/** The evidence of a check as if the policy and what the test gives were stored. */
export function policyEvidence(
  policy: PolicyDocument,
  given: PolicyTest['given'],
  { user: email, permission, resource, attributes }: Expectation
): AccessEvidence {
  const { entities = [], permissions = [] } = policy
  const scope = checkScope(email, policy.application, resource?.type, resource?.id)
  const givenUser = given?.users?.[email]
  const user = givenUser ? heldBy(email, givenUser) : assignedTo(email, policy)
  const definition = permissions.find(({ code }) => code === permission)
  const override = user.overrides.find(
    (each) =>
      each.permission === permission &&
      each.resourceType === scope.resourceType &&
      each.resourceId === scope.resourceId
  )
  const knowsResourceType =
    entities.length === 0 || entities.some(({ code }) => code === scope.resourceType)
  return {
    scope,
    permission,
    now: given?.now === undefined ? Date.now() : Date.parse(given.now),
    given: attributes ?? NO_ATTRIBUTES,
    stored: { subjectId: email, resource: propertiesOf(resource, given) },
    user: givenUser ? { id: NO_ID, active: !givenUser.inactive } : null,
    superAdmin: givenUser?.superAdmin ? { id: NO_ID, ...ALWAYS } : null,
    application: { id: NO_ID, knowsResourceType },
    applicationAdmin: user.administrator && { id: NO_ID, ...windowOf(user.administrator) },
    definition: definition ? { id: NO_ID, type: definition.type, global: definition.global } : null,
    override: override
      ? {
          id: NO_ID,
          granted: override.granted,
          level: override.accessLevel,
          condition: override.condition,
          ...windowOf(override),
        }
      : null,
    roles: rolesOf(policy, permission, user.roles),
  }
}

interface Held {
  roles: PolicyRoleAssignment[]
  overrides: PolicyOverride[]
  administrator: PolicyAdministrator | null
}

const NO_WINDOW = { validFrom: null, validUntil: null }

function heldBy(email: string, { roles, overrides, administrator }: GivenUser): Held {
  return {
    roles: (roles ?? []).map((role) => ({ email, role, ...NO_WINDOW })),
    overrides: (overrides ?? []).map((override) => ({
      ...override,
      email,
      accessLevel: override.accessLevel ?? null,
      condition: null,
      ...NO_WINDOW,
    })),
    administrator: administrator ? { email, ...NO_WINDOW } : null,
  }
}

/** Users that the test does not define have what the document assigns to them. */
function assignedTo(email: string, { assignments = {} }: PolicyDocument): Held {
  const own = <Row extends { email: string }>(rows: Row[] = []) =>
    rows.filter((row) => row.email === email)
  return {
    roles: own(assignments.roles),
    overrides: own(assignments.overrides),
    administrator: own(assignments.administrators).at(0) ?? null,
  }
}

function rolesOf({ roles = [] }: PolicyDocument, permission: string, held: Held['roles']) {
  const assigned = new Map(held.map((assignment) => [assignment.role, assignment]))
  return roles
    .flatMap(({ code, permissions }) => {
      const assignment = assigned.get(code)
      const grant = permissions.find((each) => each.permission === permission)
      if (!assignment && !grant) return []
      return {
        id: NO_ID,
        code,
        level: grant?.accessLevel ?? null,
        condition: grant?.condition ?? null,
        assignmentId: assignment ? NO_ID : null,
        ...(assignment ? windowOf(assignment) : ALWAYS),
      }
    })
    .sort(byLevelAndCode)
}

function propertiesOf(resource: Expectation['resource'], given: PolicyTest['given']) {
  const found = given?.resources?.find(
    ({ type, id }) => type === resource?.type && id === resource?.id
  )
  return { ...(found?.properties as Record<string, unknown> | undefined) }
}

function windowOf({
  validFrom,
  validUntil,
}: Pick<PolicyAdministrator, 'validFrom' | 'validUntil'>) {
  const moment = (text: string | null) =>
    text === null ? null : DateTime.fromISO(text, { zone: 'utc' })
  return { validFrom: moment(validFrom), validUntil: moment(validUntil) }
}
