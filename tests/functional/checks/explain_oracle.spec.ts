import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime, Settings } from 'luxon'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { type Check, checkPermission } from '#app/checks/actions/check_permissions'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { decisions } from '#app/checks/decisions'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'
import type { AllowingChange, CitedRow } from '#app/checks/values/explanation'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import UserRole from '#app/permissions/models/user_role'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { expectedVerdict, meets } from '#tests/helpers/access_oracle'
import {
  ALWAYS,
  type AccessWorld,
  PERMISSION_CODES,
  type WorldScope,
  boundariesOf,
  buildWorld,
  scopesOf,
  storeWorlds,
  worldPlan,
} from '#tests/helpers/access_world'
import { deleteWorlds } from '#tests/helpers/delete_worlds'

const CODES = [...PERMISSION_CODES, 'never-defined']
const NEEDS = [undefined, 'view', 'edit', 'allowed'] as const

interface Question {
  world: AccessWorld
  scope: WorldScope
  permission: string
  needed: AccessLevel | undefined
}

const asked = ({ scope }: Question): CheckScope =>
  checkScope(scope.email, scope.app, scope.resourceType, scope.resourceId)

const checkOf = (question: Question): Check => ({
  scope: asked(question),
  permission: question.permission,
  level: question.needed,
})

const explain = (question: Question) => explainPermission(checkOf(question))

/** Runs `check` for every scope of random worlds. */
async function forQuestions(numRuns: number, check: (question: Question) => Promise<void>) {
  const plans = fc.tuple(worldPlan, fc.constantFrom(...CODES), fc.constantFrom(...NEEDS))
  await fc.assert(
    fc.asyncProperty(plans, async ([plan, permission, needed]) => {
      const world = buildWorld(plan)
      await storeWorlds([world])
      for (const scope of scopesOf(world, plan)) await check({ world, scope, permission, needed })
    }),
    { numRuns }
  )
}

test.group('Explanations compared with the oracle', (group) => {
  group.teardown(deleteWorlds)

  test('agree with the oracle and list every rule that was tried', async ({ assert }) => {
    await forQuestions(300, async (question) => {
      const verdict = expectedVerdict(question.world, question.scope, question.permission)
      const explanation = await explain(question)
      const { allowed, accessLevel, source, decidedBy, steps } = explanation
      assert.deepEqual(
        { allowed, accessLevel, source, decidedBy },
        {
          allowed: meets(verdict, question.needed),
          accessLevel: verdict.level,
          source: verdict.source,
          decidedBy: verdict.rule,
        }
      )
      assert.deepEqual(
        steps.map(({ rule }) => rule),
        [1, 2, 3, 4, 5, 6].slice(0, decidedBy)
      )
      for (const { rule, outcome } of steps) {
        assert.equal(outcome === 'decided', rule === decidedBy)
        if (outcome === 'skipped') assert.equal(rule, 4)
      }
      if (allowed) assert.deepEqual(explanation.wouldAllow, [])
    })
  }).timeout(120_000)

  test('cite the deciding rows: without them, another rule decides', async ({ assert }) => {
    await forQuestions(150, async (question) => {
      const before = await explain(question)
      const cited = before.steps.at(-1)!.evidence
      assert.equal(cited.length === 0, before.decidedBy === 6)
      await withoutRows(cited, before.decidedBy, async () => {
        const after = await explain(question)
        if (cited.length > 0) assert.isAbove(after.decidedBy, before.decidedBy)
        else assert.deepEqual(after, before)
      })
      assert.deepEqual(await explain(question), before)
    })
  }).timeout(120_000)

  test('suggest only changes that allow the check', async ({ assert }) => {
    await forQuestions(120, async (question) => {
      const { wouldAllow } = await explain(question)
      for (const change of wouldAllow) {
        await undone(question, async () => {
          assert.isFalse(await check(question))
          await carryOut(question, change)
          if (!(await check(question))) assert.fail(`Still denied after ${JSON.stringify(change)}`)
        })
      }
    })
  }).timeout(120_000)

  test('suggest every single change that allows the check', async ({ assert }) => {
    await forQuestions(300, async (question) => {
      const { allowed, wouldAllow } = await explain(question)
      if (!allowed) expectComplete(assert, question, wouldAllow)
    })
  }).timeout(120_000)
})

const check = async (question: Question) => checkPermission(checkOf(question))

const TABLES: Record<CitedRow['kind'], (rule: number) => string> = {
  user: () => 'users',
  administrator: (rule) => (rule === 2 ? 'super_admins' : 'application_admins'),
  override: () => 'resource_overrides',
  role_assignment: () => 'user_roles',
}

/** Removes the rows while `work` runs. */
async function withoutRows(cited: CitedRow[], rule: number, work: () => Promise<void>) {
  const tables = cited.map(({ kind, id }) => ({ table: TABLES[kind](rule), id }))
  const rows = await Promise.all(
    tables.map(({ table, id }) => db.from(table).where('id', id).firstOrFail())
  )
  for (const { table, id } of tables) await db.from(table).where('id', id).delete()
  await work()
  for (const [index, { table }] of tables.entries()) await db.table(table).insert(rows[index])
}

/** Restores the user's rows after `work`. */
async function undone({ scope }: Question, work: () => Promise<void>) {
  const tables = ['users', 'application_admins', 'resource_overrides', 'user_roles']
  const rows = await Promise.all(
    tables.map((table) => db.from(table).where('email', scope.email).select('*'))
  )
  await work()
  Settings.now = () => Date.now()
  for (const [index, table] of tables.entries()) {
    await db.from(table).where('email', scope.email).delete()
    if (rows[index].length > 0) await db.table(table).multiInsert(rows[index])
  }
  decisions.clear()
}

/** Uses the actions of the service, which refuse invalid changes. */
async function carryOut({ world, scope }: Question, change: AllowingChange) {
  const { email, app } = scope
  switch (change.kind) {
    case 'wait':
      Settings.now = () => Date.parse(change.from)
      return
    case 'activate':
      return handleLifecycleEvent({
        type: 'user.reactivated',
        email: change.email,
        userId: null,
        orgId: null,
        names: {},
        occurredAt: DateTime.utc(),
      })
    case 'administrator':
      return addApplicationAdmin(email, change.application)
    case 'role': {
      const held = await UserRole.query().where('email', email)
      const own = await db
        .from('roles')
        .join('applications', 'applications.id', 'roles.application_id')
        .where('applications.code', app)
        .select('roles.id')
      const ids = own.map(({ id }) => id)
      const kept = held.filter((row) => row.roleId !== change.roleId && ids.includes(row.roleId))
      return replaceUserRoles(email, change.application, [...kept, { roleId: change.roleId }])
    }
    case 'override': {
      const { resourceType, resourceId, permissionId, accessLevel } = change
      const target = { email, appCode: app, resourceType, resourceId }
      const others = await db
        .from('resource_overrides')
        .join('permissions', 'permissions.id', 'permission_id')
        .where({ email, resource_type: resourceType, resource_id: resourceId, global: false })
        .whereNot('permission_id', permissionId)
        .whereIn(
          'code',
          world.permissions.filter((row) => row.app === app).map(({ code }) => code)
        )
        .whereIn('application_id', (applications) =>
          applications.from('applications').where('code', app).select('id')
        )
        .select('permission_id', 'granted', 'access_level')
      const items = others.map((row) => ({
        permissionId: row.permission_id,
        granted: Boolean(row.granted),
        accessLevel: row.access_level,
      }))
      const wanted = { permissionId, granted: true, accessLevel }
      return replaceOverrides(target, change.change === 'grant' ? [...items, wanted] : items)
    }
  }
}

/** Tries every single change on the oracle and compares with the suggestions. */
function expectComplete(assert: Assert, question: Question, suggested: AllowingChange[]) {
  const { world, scope, permission, needed } = question
  const { email, app, resourceType, resourceId } = scope
  const allows = (changes: Partial<AccessWorld>) =>
    meets(expectedVerdict({ ...world, ...changes }, scope, permission), needed)
  const expected: unknown[] = []
  const waited = boundariesOf(world, scope, permission).some(
    (now) => now > Date.now() && meets(expectedVerdict(world, scope, permission, { now }), needed)
  )
  if (waited) expected.push('wait')

  const isInactive = world.users.some((user) => user.email === email && !user.active)
  const users = world.users.map((user) => (user.email === email ? { email, active: true } : user))
  if (isInactive && allows({ users })) expected.push('activate')

  const rest = world.overrides.filter(
    (row) =>
      row.email !== email ||
      row.app !== app ||
      row.permission !== permission ||
      row.resourceType !== resourceType ||
      row.resourceId !== resourceId
  )
  const defined = world.permissions.find((row) => row.app === app && row.code === permission)
  if (resourceType !== undefined && resourceId !== undefined && defined && !defined.global) {
    if (allows({ overrides: rest })) expected.push('remove')
    const level = defined.type === 'tiered' ? ('edit' as const) : null
    const grant = { email, app, permission, resourceType, resourceId, granted: true, level }
    const always = { ...grant, window: ALWAYS, condition: null }
    if (allows({ overrides: [...rest, always] })) expected.push('grant')
  }
  for (const { role } of world.roles.filter((row) => row.app === app)) {
    const others = world.userRoles.filter(
      (row) => row.email !== email || row.app !== app || row.role !== role
    )
    const userRoles = [...others, { email, app, role, window: ALWAYS }]
    if (allows({ userRoles })) expected.push(role)
  }
  const applicationAdmins = [...world.applicationAdmins, { email, app, window: ALWAYS }]
  if (world.applications.includes(app) && allows({ applicationAdmins })) {
    expected.push('administrator')
  }

  const named = suggested.map((change) => {
    if (change.kind === 'override') return change.change
    return change.kind === 'role' ? change.role : change.kind
  })
  if (!isDeepStrictEqual(new Set(named), new Set(expected))) assert.sameMembers(named, expected)
}
