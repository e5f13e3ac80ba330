import { test } from '@japa/runner'
import fc from 'fast-check'
import type { ApiClient } from '@japa/api-client'
import { decideAll } from '#app/checks/actions/decide_in_turn'
import { judgeAll } from '#app/checks/actions/judge_all'
import { readAllFacts } from '#app/checks/actions/read_facts'
import { explain } from '#app/checks/explain'
import { checkScope } from '#app/checks/values/check_scope'
import { policyEvidence } from '#app/policies/testing/policy_evidence'
import { policyValidator } from '#app/policies/validators/policy_validator'
import { completePolicy } from '#app/policies/values/complete_policy'
import { anApplication } from '#tests/helpers/people'
import { type Document, policyOf } from '#tests/helpers/policies'

const RUNS = Number(process.env.POLICY_WORLDS ?? 15)
const PERMISSIONS = ['a', 'b', 'c/d', 'e.f', 'g:h']
const ROLES = ['r1', 'r2', 'r3']
const USERS = ['ada', 'alan', 'grace'].map((name) => `${name}@property.example`)
const RESOURCES = ['', 'order 1', 'order 2']
const CONDITIONS = [
  'context.ip == "10.0.0.1"',
  'resource.id == "1"',
  'action.name.startsWith("e")',
  'has(subject.properties.x)',
]
const ATTRIBUTES = { context: { ip: '10.0.0.1' }, subject: { x: 1 } }

const either = <T>(...values: T[]) => fc.constantFrom(...values)
const window = either<object>(
  {},
  {},
  { validUntil: '2020-01-01T00:00:00Z' },
  { validFrom: '2020-01-01T00:00:00Z' },
  { validFrom: '2098-01-01T00:00:00Z', validUntil: '2099-01-01T00:00:00Z' }
)

/** Any level; what does not fit the type of its permission is repaired below. */
const level = either('view', 'edit')
const condition = fc.option(either(...CONDITIONS))

const document = fc
  .record({
    permissions: fc.uniqueArray(
      fc.record({
        code: either(...PERMISSIONS),
        type: either('binary', 'tiered'),
        global: fc.boolean(),
        parent: fc.option(either(...PERMISSIONS)),
      }),
      { selector: ({ code }) => code }
    ),
    roles: fc.uniqueArray(
      fc.record({
        code: either(...ROLES),
        permissions: fc.uniqueArray(
          fc.record({ permission: either(...PERMISSIONS), accessLevel: level, condition }),
          { selector: ({ permission }) => permission }
        ),
      }),
      { selector: ({ code }) => code }
    ),
    entities: either([], [{ code: 'order', name: 'Order' }]),
    assignments: fc.record({
      roles: fc.uniqueArray(
        fc.record({ email: either(...USERS), role: either(...ROLES), window }),
        { selector: ({ email, role }) => `${email} ${role}` }
      ),
      overrides: fc.uniqueArray(
        fc.record({
          email: either(...USERS),
          permission: either(...PERMISSIONS),
          resourceId: either('1', '2'),
          granted: fc.boolean(),
          accessLevel: fc.option(level),
          condition,
          window,
        }),
        { selector: ({ email, permission, resourceId }) => `${email} ${permission} ${resourceId}` }
      ),
      administrators: fc.uniqueArray(fc.record({ email: either(USERS[2]), window }), {
        selector: ({ email }) => email,
      }),
    }),
  })
  .map(consistent)

/** Drops what refers to nothing, and repairs levels. */
function consistent({ permissions, roles, entities, assignments }: Document): Document {
  const types = new Map<string, Document>(permissions.map((each: Document) => [each.code, each]))
  const held = new Set(roles.map(({ code }: Document) => code))
  const levelOf = (permission: string, wanted: string) =>
    types.get(permission)!.type === 'tiered' ? wanted : 'allowed'
  return {
    permissions: permissions.map(({ parent, ...each }: Document, nth: number) => ({
      ...each,
      // Only to earlier ones, so that there is no cycle.
      parent: permissions.slice(0, nth).some(({ code }: Document) => code === parent)
        ? parent
        : null,
    })),
    roles: roles.map((role: Document) => ({
      ...role,
      permissions: role.permissions
        .filter(({ permission }: Document) => types.has(permission))
        .map((grant: Document) => ({
          ...grant,
          accessLevel: levelOf(grant.permission, grant.accessLevel),
        })),
    })),
    entities,
    assignments: {
      roles: assignments.roles
        .filter(({ role }: Document) => held.has(role))
        .map(({ window: limits, ...row }: Document) => ({ ...row, ...limits })),
      overrides: assignments.overrides
        .filter(({ permission }: Document) => types.get(permission)?.global === false)
        .map(({ window: limits, ...row }: Document) => ({
          ...row,
          ...limits,
          resourceType: 'order',
          accessLevel: types.get(row.permission)!.type === 'tiered' ? row.accessLevel : null,
        })),
      administrators: assignments.administrators.map(({ window: limits, ...row }: Document) => {
        return { ...row, ...limits }
      }),
    },
  }
}

/** Every decision of the users, by question. */
async function decisionsIn(app: string) {
  const found: Record<string, unknown> = {}
  for (const email of USERS) {
    for (const resource of RESOURCES) {
      const scope = checkScope(email, app, ...resource.split(' '))
      const now = Date.now()
      const judgements = await judgeAll(scope, PERMISSIONS, await readAllFacts(scope, now))
      const decisions = await decideAll(judgements, ATTRIBUTES, now)
      for (const [nth, { level: held, source, decidedBy }] of decisions.entries()) {
        found[`${email} ${resource} ${PERMISSIONS[nth]}`] = { held, source, decidedBy }
      }
    }
  }
  return found
}

/** The same, from the document alone. */
async function decisionsOf(policy: Document) {
  const complete = completePolicy(await policyValidator.validate(policy))
  const found: Record<string, unknown> = {}
  for (const user of USERS) {
    for (const resource of RESOURCES) {
      const [type, id] = resource.split(' ')
      for (const permission of PERMISSIONS) {
        const question = {
          user,
          permission,
          allowed: true,
          attributes: ATTRIBUTES,
          resource: id === undefined ? undefined : { type, id },
        }
        const { accessLevel, source, decidedBy } = explain(
          policyEvidence(complete, undefined, question)
        )
        found[`${user} ${resource} ${permission}`] = { held: accessLevel, source, decidedBy }
      }
    }
  }
  return found
}

const EMPTY = {
  permissions: [],
  roles: [],
  entities: [],
  assignments: { roles: [], overrides: [], administrators: [] },
}

const ALL = '?assignments=true&prune=true'

async function applyTo(client: ApiClient, application: string, policy: Document) {
  const { apply } = await policyOf(client, application)
  const response = await apply({ ...policy, application }, ALL)
  response.assertStatus(200)
  return response.body().data
}

test('A random policy is exported, applied and tested with the same decisions everywhere', async ({
  client,
  assert,
}) => {
  const [source, copy] = [(await anApplication()).code, (await anApplication()).code]
  let allowed = 0
  const property = fc.asyncProperty(document, async (drawn) => {
    // A permission in use could not change its type.
    for (const application of [source, copy]) await applyTo(client, application, EMPTY)
    await applyTo(client, source, drawn)
    const exported: Document = await (await policyOf(client, source)).read('?assignments=true')
    const unchanged = await applyTo(client, source, exported)
    assert.deepEqual(unchanged.changes, [])
    await applyTo(client, copy, exported)
    const decisions = await decisionsIn(source)
    assert.deepEqual(await decisionsIn(copy), decisions)
    assert.deepEqual(await decisionsOf(exported), decisions)
    allowed += Object.values(decisions).filter((each) => (each as Document).held !== null).length
  })
  await fc.assert(property, { numRuns: RUNS })
  assert.isAbove(allowed, RUNS)
}).timeout(300_000)
