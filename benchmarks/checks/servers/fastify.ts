import fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { StringAdapter, newEnforcer, newModelFromString } from 'casbin'
import {
  APPLICATIONS,
  PERMISSIONS_PER_APPLICATION,
  Workload,
  applicationCode,
  emailOf,
  permissionCode,
  roleCode,
  roleOf,
} from '../workload.ts'
import type { SingleCheck } from '../apis.ts'
import { ready } from './ready.ts'

/** Plain Fastify: a route without any work, and one that calls casbin. */
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

const workload = new Workload(Number(process.env.WORKLOAD_USERS))
const policies = new StringAdapter([...policyLines(workload)].join('\n'))
const enforcer = await newEnforcer(newModelFromString(MODEL), policies)

const app = fastify()
app.post('/api/bare', () => ({ data: { allowed: true } }))
app.post<{ Body: SingleCheck }>('/casbin', async ({ body }) => ({
  data: { allowed: await enforcer.enforce(body.email, body.app, body.permission) },
}))
await app.listen({ host: '127.0.0.1', port: 0 })
ready((app.server.address() as AddressInfo).port)
