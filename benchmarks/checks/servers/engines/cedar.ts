import { createRequire } from 'node:module'
import { APPLICATIONS, ROLES_PER_APPLICATION, type Workload } from '../../../world/workload.ts'
import { applicationCode, roleCode } from '../../../world/workload.ts'
import { Assignments, type Engine, permissionsOf } from './engine.ts'

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

const cedar: Cedar = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs')

/**
 * A policy set per application, parsed once. Cedar stores no assignments: each call contains the
 * user with their roles.
 */
export function createCedar(workload: Workload): Engine {
  const assignments = new Assignments(workload)
  for (let app = 0; app < APPLICATIONS; app++) parsePolicies(applicationCode(app))
  return ({ email, app, permission }) => {
    const principal = { type: 'User', id: email }
    const parents = assignments.of(email, app).map((role) => ({ type: 'Role', id: roleCode(role) }))
    const answer = cedar.statefulIsAuthorized({
      principal,
      action: { type: 'Action', id: permission },
      resource: { type: 'Application', id: app },
      context: {},
      preparsedPolicySetId: app,
      entities: [{ uid: principal, attrs: {}, parents }],
    })
    if (answer.type === 'failure') throw new Error(answer.errors[0].message)
    return answer.response.decision === 'allow'
  }
}

function parsePolicies(app: string) {
  const policies = Array.from({ length: ROLES_PER_APPLICATION }, (_, role) => {
    const actions = permissionsOf(role).map((code) => `Action::"${code}"`)
    return `permit (principal in Role::"${roleCode(role)}", action in [${actions.join()}], resource == Application::"${app}");`
  })
  const parsed = cedar.preparsePolicySet(app, { staticPolicies: policies.join('\n') })
  if (parsed.type === 'failure') throw new Error(parsed.errors[0].message)
}
