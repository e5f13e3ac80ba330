import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { Settings } from 'luxon'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { DatabaseResolver } from '#app/checks/resolvers/database_resolver'
import {
  internalEffectivePermission,
  ownEffectivePermission,
} from '#app/checks/transformers/effective_permission_resource'
import type { Attributes } from '#app/checks/values/attributes'
import { checkScope } from '#app/checks/values/check_scope'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'
import { type Circumstances, attributesPlan } from '#tests/helpers/access_conditions'
import { RENAMED, applyChange, changePlan } from '#tests/helpers/access_changes'
import {
  type JudgedPermission,
  expectedVerdict,
  expectedVerdicts,
  meets,
} from '#tests/helpers/access_oracle'
import {
  type AccessWorld,
  NEW_YEAR,
  PERMISSION_CODES,
  type WorldPlan,
  type WorldScope,
  buildWorld,
  scopesOf,
  storeWorlds,
  worldPlan,
} from '#tests/helpers/access_world'
import { decided } from '#tests/helpers/decided'
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import { signedIn } from '#tests/helpers/people'

const CODES = [...PERMISSION_CODES, RENAMED, 'never-defined', '__proto__']
const source = new DatabaseResolver()

const HALF_HOUR = 1_800_000
/** Before, between and after the boundaries of time windows. */
const MOMENTS = [NEW_YEAR, NEW_YEAR + 3 * HALF_HOUR, NEW_YEAR + 5 * HALF_HOUR]

/** Lets the service's clock show each moment in turn, while decisions stay cached. */
async function throughTime(attributes: Attributes, work: (now: Circumstances) => Promise<unknown>) {
  try {
    for (const now of MOMENTS) {
      Settings.now = () => now
      await work({ now, attributes })
    }
  } finally {
    Settings.now = () => Date.now()
  }
}

/** Compares every kind of check with the oracle, on both variants. */
async function expectAgreement(
  assert: Assert,
  world: AccessWorld,
  scope: WorldScope,
  circumstances: Circumstances = {}
) {
  const { attributes, now } = circumstances
  const asked = checkScope(scope.email, scope.app, scope.resourceType, scope.resourceId)
  const verdicts = CODES.map((code) => expectedVerdict(world, scope, code, circumstances))
  const level = ACCESS_LEVELS[(scope.email.length + CODES.length) % ACCESS_LEVELS.length]

  const [bulk, bulkAtLevel, effective, fromDatabase] = await Promise.all([
    checkPermissions({ scope: asked, permissions: CODES, attributes }),
    checkPermissions({ scope: asked, permissions: CODES, level, attributes }),
    listEffectivePermissions({ scope: asked, attributes }),
    decided(source, asked, [CODES[0]], { now, attributes }),
  ])
  const singles = await Promise.all(
    CODES.map((code) => checkPermission({ scope: asked, permission: code, attributes }))
  )

  const expected = expectedVerdicts(world, scope, circumstances)
  same(assert, {
    bulk: [Object.entries(bulk), CODES.map((code, index) => [code, verdicts[index].allowed])],
    singles: [singles, verdicts.map(({ allowed }) => allowed)],
    level: [Object.values(bulkAtLevel), verdicts.map((verdict) => meets(verdict, level))],
    source: [
      fromDatabase.map((made) => ({
        level: made.level,
        source: made.source,
        decidedBy: made.decidedBy,
      })),
      [{ level: verdicts[0].level, source: verdicts[0].source, decidedBy: verdicts[0].rule }],
    ],
    internal: [effective.map(internalEffectivePermission), expected.map(internalShape)],
    own: [effective.map(ownEffectivePermission), expected.map(ownShape)],
  })
}

/** See checks.md#effective-permission-fields. */
function internalShape({ permission, verdict }: JudgedPermission) {
  return {
    code: permission.code,
    type: permission.type,
    groupName: permission.groupName,
    accessLevel: verdict.level,
    granted: verdict.allowed,
    source: verdict.source,
  }
}

/** See checks.md#effective-permission-fields. */
function ownShape({ permission, verdict }: JudgedPermission) {
  return {
    code: permission.code,
    type: permission.type,
    global: permission.global,
    accessLevel: verdict.level,
    granted: verdict.allowed,
    source: verdict.source ?? 'none',
  }
}

/** Asserts only differences, because an assertion is much slower than a comparison. */
function same(assert: Assert, pairs: Record<string, [actual: unknown, expected: unknown]>) {
  for (const [name, [actual, expected]] of Object.entries(pairs)) {
    if (!isDeepStrictEqual(actual, expected))
      assert.deepEqual({ [name]: actual }, { [name]: expected })
  }
}

async function storeWorld(plan: WorldPlan) {
  const world = buildWorld(plan)
  await storeWorlds([world])
  return { world, scopes: scopesOf(world, plan) }
}

test.group('Evaluation compared with a naive oracle', (group) => {
  group.teardown(deleteWorlds)

  test('agrees on random worlds through the cache, also after a random change', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(worldPlan, changePlan, attributesPlan, async (plan, change, attributes) => {
        const { world, scopes } = await storeWorld(plan)
        const agree = (circumstances: Circumstances) =>
          Promise.all(scopes.map((scope) => expectAgreement(assert, world, scope, circumstances)))
        await throughTime(attributes, agree)
        await applyChange(world, change)
        await throughTime(attributes, agree)
      }),
      { numRuns: 350 }
    )
  }).timeout(180_000)

  test('agrees after each of many changes in a row', async ({ assert }) => {
    const changes = fc.array(changePlan, { minLength: 8, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(worldPlan, changes, async (plan, changesInRow) => {
        const { world, scopes } = await storeWorld(plan)
        for (const change of changesInRow) {
          await applyChange(world, change)
          await Promise.all(scopes.map((scope) => expectAgreement(assert, world, scope)))
        }
      }),
      { numRuns: 15 }
    )
  }).timeout(180_000)

  test('agrees over HTTP, on the internal and the user-scoped routes', async ({
    assert,
    client,
  }) => {
    await fc.assert(
      fc.asyncProperty(worldPlan, attributesPlan, async (plan, { subject: _, ...attributes }) => {
        const { world, scopes } = await storeWorld(plan)
        for (const scope of scopes) {
          const circumstances = { attributes }
          const allowed = (code: string) =>
            expectedVerdict(world, scope, code, circumstances).allowed
          const [code] = CODES
          const { email, ...ownScope } = scope
          const own = signedIn(client, email)
          const ask = (path: string, body: object) =>
            client.post(`/api/check${path}`).json({ ...body, attributes })
          const askOwn = (path: string, body: object) =>
            own.post(`/api/profile/me/check${path}`, { ...ownScope, ...body, attributes })

          const single = await ask('', { ...scope, permission: code })
          const ownSingle = await askOwn('', { permission: code })
          const bulk = await ask('/bulk', { ...scope, permissions: CODES })
          const ownBulk = await askOwn('/bulk', { permissions: CODES })
          const effective = await ask('/effective', scope)
          const ownEffective = await askOwn('/effective', {})

          const expected = expectedVerdicts(world, scope, circumstances)
          const map = CODES.map((each) => [each, allowed(each)])
          same(assert, {
            single: [single.body(), { data: { allowed: allowed(code) } }],
            ownSingle: [ownSingle.body(), { allowed: allowed(code) }],
            bulk: [Object.entries(bulk.body().data), map],
            ownBulk: [Object.entries(ownBulk.body()), map],
            effective: [effective.body(), { data: expected.map(internalShape) }],
            ownEffective: [ownEffective.body(), expected.map(ownShape)],
          })
        }
      }),
      { numRuns: 8 }
    )
  }).timeout(180_000)
})
