import fc from 'fast-check'
import { Settings } from 'luxon'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { ApplicationNotFound } from '#app/applications/exceptions'
import { type Check, checkPermission } from '#app/checks/actions/check_permissions'
import { searchPermissions } from '#app/checks/actions/search_permissions'
import { searchResources } from '#app/checks/actions/search_resources'
import { searchSubjects } from '#app/checks/actions/search_subjects'
import { permissionPage, resourcePage, subjectPage } from '#app/checks/transformers/search_results'
import type { Attributes } from '#app/checks/values/attributes'
import { checkScope } from '#app/checks/values/check_scope'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { type Circumstances, attributesPlan } from '#tests/helpers/access_conditions'
import { applyChange, changePlan } from '#tests/helpers/access_changes'
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
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import {
  expectedPermissions,
  expectedResources,
  expectedSubjects,
} from '#tests/helpers/search_oracle'

/** `ORACLE_WORLDS=20000` compares that many; see CONTRIBUTING.md. */
const WORLDS = Number(process.env.ORACLE_WORLDS ?? 200)

const CALLER = 'search oracle'
const CODES = [...PERMISSION_CODES, 'never-defined', '__proto__']
const HALF_HOUR = 1_800_000
/** Before, between and after the boundaries of time windows. */
const MOMENTS = [NEW_YEAR, NEW_YEAR + 3 * HALF_HOUR, NEW_YEAR + 5 * HALF_HOUR]

const questionPlan = fc.record({
  permission: fc.constantFrom(...CODES),
  needed: fc.constantFrom<(AccessLevel | undefined)[]>(undefined, undefined, 'view', 'edit'),
  limit: fc.constantFrom(1, 2, 7),
  count: fc.constantFrom(undefined, true, false),
  attributes: fc.option(attributesPlan, { nil: undefined }),
})

type QuestionPlan = typeof questionPlan extends fc.Arbitrary<infer Plan> ? Plan : never

interface Page {
  results: unknown[]
  conditional: unknown[]
  except?: string[]
  nextCursor: string | null
  total: number | null
}

/** Reads all pages, one after another. */
async function walk<P extends Page>(read: (cursor?: string) => Promise<P>) {
  const pages: P[] = []
  for (let cursor: string | undefined; ; cursor = pages.at(-1)!.nextCursor!) {
    pages.push(await read(cursor))
    if (pages.at(-1)!.nextCursor === null) break
    if (pages.length > 500) throw new Error('The search does not end')
  }
  return pages
}

const all = <P extends Page, K extends keyof P>(pages: P[], list: K) =>
  pages.flatMap((page) => page[list] as P[K][keyof P[K] & number][])

let compared = 0

function same(assert: Assert, name: string, actual: unknown, expected: unknown) {
  compared++
  assert.deepEqual({ [name]: actual }, { [name]: expected })
}

async function compareSubjects(
  assert: Assert,
  world: AccessWorld,
  scope: WorldScope,
  asked: Asked
) {
  const { app, resourceType, resourceId } = scope
  const full = checkScope('', app, resourceType, resourceId)
  const where = { app, resourceType: full.resourceType, resourceId: full.resourceId }
  const { permission, needed: level, attributes, limit, count } = asked
  const read = async (cursor?: string) =>
    subjectPage(
      await searchSubjects(
        { scope: where, permission, level, attributes },
        { limit, cursor, count },
        CALLER
      )
    )
  if (!world.applications.includes(scope.app)) {
    await assert.rejects(() => read(), ApplicationNotFound)
    return
  }
  const pages = await walk(read)
  const found = all(pages, 'results')
  const own = found.filter(({ email }) => email.endsWith('@worlds.example'))
  const expected = expectedSubjects(world, { app, resourceType, resourceId }, asked)
  same(
    assert,
    'subjects',
    own.map(({ email: key, ...grant }) => ({ key, ...grant })),
    expected.results
  )
  same(
    assert,
    'conditional subjects',
    all(pages, 'conditional').map(({ email }) => email),
    expected.conditional
  )
  // The others are the super admins of the service.
  for (const { email } of found) {
    same(assert, 'check of a subject', await check({ ...scope, email }, asked), true)
  }
  compareTotals(assert, pages, count)
}

/** Few candidates are counted unless the request says otherwise. */
function compareTotals(assert: Assert, pages: Page[], count?: boolean) {
  const total = all(pages, 'results').length
  const isCounted = count !== false || pages.length === 1
  same(
    assert,
    'totals',
    new Set(pages.map((page) => page.total)),
    new Set([isCounted ? total : null])
  )
}

const check = ({ email, app, resourceType, resourceId }: WorldScope, asked: Asked) => {
  const scope = checkScope(email, app, resourceType, resourceId)
  const { permission, needed: level, attributes } = asked
  return checkPermission({ scope, permission, level, attributes } satisfies Check)
}

async function compareResources(
  assert: Assert,
  world: AccessWorld,
  { email, app, resourceType = 'order' }: WorldScope,
  asked: Asked
) {
  const { permission, needed: level, attributes, limit, count } = asked
  const search = { scope: { email, app, resourceType }, permission, level, attributes }
  const pages = await walk(async (cursor) =>
    resourcePage(await searchResources(search, { limit, cursor, count }, CALLER))
  )
  const scope = { email, app, resourceType }
  const expected = expectedResources(world, scope, asked)
  const found = all(pages, 'results')
  same(
    assert,
    'resources',
    found.map(({ resourceId: key, accessLevel, source }) => ({ key, accessLevel, source })),
    expected.results
  )
  same(
    assert,
    'everywhere',
    new Set(pages.map((page) => page.everywhere)),
    new Set([expected.everywhere])
  )
  same(assert, 'except', all(pages, 'except'), expected.everywhere ? expected.denied : [])
  same(
    assert,
    'conditional resources',
    all(pages, 'conditional').map(({ resourceId }) => resourceId),
    expected.conditional
  )
  for (const { resourceId } of found) {
    same(assert, 'check of a resource', await check({ ...scope, resourceId }, asked), true)
  }
  const unnamed = { ...scope, resourceId: 'nobody named this' }
  if (expected.everywhere) same(assert, 'unnamed', await check(unnamed, asked), true)
  compareTotals(assert, pages, count)
}

async function comparePermissions(
  assert: Assert,
  world: AccessWorld,
  scope: WorldScope,
  circumstances: Circumstances
) {
  const { email, app, resourceType, resourceId } = scope
  const found = permissionPage(
    await searchPermissions({
      scope: checkScope(email, app, resourceType, resourceId),
      attributes: circumstances.attributes,
    })
  )
  const expected = expectedPermissions(world, scope, circumstances)
  same(
    assert,
    'permissions',
    found.results.map(({ code: key, ...grant }) => ({ key, ...grant })),
    expected.results
  )
  same(
    assert,
    'conditional permissions',
    found.conditional.map(({ code }) => code),
    expected.conditional
  )
}

interface Asked extends Omit<QuestionPlan, 'attributes'> {
  attributes?: Attributes
  now: number
}

async function compareAll(
  assert: Assert,
  world: AccessWorld,
  plan: WorldPlan,
  asked: QuestionPlan
) {
  try {
    for (const now of MOMENTS) {
      Settings.now = () => now
      for (const scope of scopesOf(world, plan)) {
        await compareSubjects(assert, world, scope, { ...asked, now })
        await compareResources(assert, world, scope, { ...asked, now })
        await comparePermissions(assert, world, scope, { now, attributes: asked.attributes })
      }
    }
  } finally {
    Settings.now = () => Date.now()
  }
}

test.group('Searches compared with a naive oracle', (group) => {
  group.teardown(() => {
    if (process.env.ORACLE_WORLDS) process.stdout.write(`${compared} comparisons\n`)
  })

  test('find exactly what checks allow, on random worlds, before and after a change', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(worldPlan, changePlan, questionPlan, async (plan, change, question) => {
        const world = buildWorld(plan)
        await storeWorlds([world])
        try {
          await compareAll(assert, world, plan, question)
          await applyChange(world, change)
          await compareAll(assert, world, plan, question)
        } finally {
          // A super admin of one world would be found in the next.
          await deleteWorlds()
        }
      }),
      { numRuns: WORLDS }
    )
  }).timeout(180_000 + WORLDS * 1_000)
})
