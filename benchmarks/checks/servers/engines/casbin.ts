import { StringAdapter, newEnforcer, newModelFromString } from 'casbin'
import type { SingleCheck } from '../../apis.ts'
import {
  APPLICATIONS,
  PERMISSIONS_PER_APPLICATION,
  type Workload,
  applicationCode,
  emailOf,
  permissionCode,
  roleCode,
  roleOf,
} from '../../../world/workload.ts'
import type { Engine } from './engine.ts'

const MODEL = `
[request_definition]
r = sub, app, permission

[policy_definition]
p = sub, app, permission

[role_definition]
g = _, _, _

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = r.app == p.app && r.permission == p.permission && g(r.sub, p.sub, r.app)
`

export async function createCasbin(workload: Workload): Promise<Engine> {
  const policies = new StringAdapter([...policyLines(workload)].join('\n'))
  const enforcer = await newEnforcer(newModelFromString(MODEL), policies)
  return ({ email, app, permission }: SingleCheck) => enforcer.enforce(email, app, permission)
}

function* policyLines(workload: Workload) {
  for (let app = 0; app < APPLICATIONS; app++) {
    for (let permission = 0; permission < PERMISSIONS_PER_APPLICATION; permission++) {
      yield `p, ${roleCode(roleOf(permission))}, ${applicationCode(app)}, ${permissionCode(permission)}`
    }
  }
  for (const [user, assignments] of workload.entries()) {
    for (const { app, role } of assignments) {
      yield `g, ${emailOf(user)}, ${roleCode(role)}, ${applicationCode(app)}`
    }
  }
}
