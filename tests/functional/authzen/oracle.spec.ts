import fc from 'fast-check'
import { Settings } from 'luxon'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { ApplicationNotFound } from '#app/applications/exceptions'
import { evaluateAccess } from '#app/authzen/actions/evaluate_access'
import { evaluateBatch } from '#app/authzen/actions/evaluate_batch'
import { findActions } from '#app/authzen/actions/find_actions'
import { findResources } from '#app/authzen/actions/find_resources'
import { findSubjects } from '#app/authzen/actions/find_subjects'
import { isPermitted } from '#app/authzen/values/outcome'
import type { ResultPage, SearchPage } from '#app/authzen/values/result_page'
import User from '#app/profiles/models/user'
import { decisions } from '#app/checks/decisions'
import { applyChange, changePlan } from '#tests/helpers/access_changes'
import { type Circumstances, attributesPlan } from '#tests/helpers/access_conditions'
import { expectedVerdict } from '#tests/helpers/access_oracle'
import {
  type AccessWorld,
  NEW_YEAR,
  PERMISSION_CODES,
  RESOURCES,
  type WorldScope,
  buildWorld,
  scopesOf,
  storeWorlds,
  worldPlan,
} from '#tests/helpers/access_world'
import { type Answer, ask } from '#tests/helpers/authzen'
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import {
  expectedPermissions,
  expectedResources,
  expectedSubjects,
} from '#tests/helpers/search_oracle'

/** `ORACLE_WORLDS=20000` compares that many; see CONTRIBUTING.md. */
const WORLDS = Number(process.env.ORACLE_WORLDS ?? 100)
const WORLDS_OVER_HTTP = Math.ceil(WORLDS / 10)

const CODES = [...PERMISSION_CODES, 'never-defined', '__proto__']
const HALF_HOUR = 1_800_000
/** Before, between and after the boundaries of time windows. */
const MOMENTS = [NEW_YEAR, NEW_YEAR + 3 * HALF_HOUR, NEW_YEAR + 5 * HALF_HOUR]

/** A world some of whose users have a bound account. */
class Scene {
  readonly #subjects = new Map<string, string>()

  constructor(
    readonly world: AccessWorld,
    readonly circumstances: Circumstances
  ) {}

  async store() {
    await storeWorlds([this.world])
    for (const [nth, { email }] of this.world.users.entries()) {
      if (nth % 2 === 1) continue
      const subject = `sub of ${email.replace('@', ' at ')}`
      await User.query().where({ email }).update({ idpUserId: subject, identityVerified: true })
      this.#subjects.set(email, subject)
    }
    return this
  }

  idOf(email: string): string {
    return this.#subjects.get(email) ?? email
  }

  /** Entities exist where there is a catalog. */
  knows({ app, resourceType }: WorldScope): boolean {
    return (
      this.world.catalog.some((row) => row.app === app) &&
      RESOURCES.some((known) => known.resourceType === resourceType)
    )
  }

  request({ email, resourceType, resourceId }: Required<WorldScope>, permission: string) {
    const { subject, action, resource, context } = this.circumstances.attributes ?? {}
    return {
      subject: { type: 'user', id: this.idOf(email), properties: subject },
      action: { name: permission, properties: action },
      resource: { type: resourceType, id: resourceId, properties: resource },
      context,
    }
  }

  expected(scope: WorldScope, permission: string, now?: number): boolean {
    const circumstances = { ...this.circumstances, now }
    return (
      this.knows(scope) && expectedVerdict(this.world, scope, permission, circumstances).allowed
    )
  }

  expectedSubjects(scope: Required<WorldScope>, permission: string, now?: number) {
    const { app, resourceType, resourceId } = scope
    const asked = { ...this.circumstances, permission, now }
    const { results } = expectedSubjects(this.world, { app, resourceType, resourceId }, asked)
    return this.knows(scope) ? results.map(({ key }) => this.idOf(key)) : []
  }

  expectedResources(scope: Required<WorldScope>, permission: string, now?: number) {
    const asked = { ...this.circumstances, permission, now }
    const { results } = expectedResources(this.world, scope, asked)
    return this.knows(scope) ? results.map(({ key }) => key) : []
  }

  expectedActions(scope: Required<WorldScope>, now?: number) {
    const { results } = expectedPermissions(this.world, scope, { ...this.circumstances, now })
    return this.knows(scope) ? results.map(({ key }) => key) : []
  }
}

/** Those of the world, without the super admins of the service. */
const ofWorld = (ids: string[]) => ids.filter((id) => id.endsWith('worlds.example'))

const onResource = (scope: WorldScope): Required<WorldScope> => ({ ...RESOURCES[0], ...scope })

async function walk<Result>(
  limit: number,
  find: (page: SearchPage) => Promise<ResultPage<Result>>
) {
  const results: Result[] = []
  for (let cursor: string | undefined; ;) {
    const found: ResultPage<Result> = await find({ limit, cursor })
    results.push(...found.results)
    if (found.nextCursor === null) return results
    cursor = found.nextCursor
  }
}

async function compare(assert: Assert, scene: Scene, scope: Required<WorldScope>, now: number) {
  const { app } = scope
  const requests = CODES.map((code) => scene.request(scope, code))
  const [first] = requests
  if (!scene.world.applications.includes(app)) {
    await assert.rejects(() => evaluateAccess(app, first), ApplicationNotFound)
    return
  }
  const expected = CODES.map((code) => scene.expected(scope, code, now))
  const singles = await Promise.all(requests.map((request) => evaluateAccess(app, request)))
  assert.deepEqual(singles.map(isPermitted), expected, 'evaluation')
  const batch = await evaluateBatch(app, { requests, semantic: 'execute_all' })
  assert.deepEqual(batch.map(isPermitted), expected, 'evaluations')
  const denied = expected.indexOf(false)
  const short = await evaluateBatch(app, { requests, semantic: 'deny_on_first_deny' })
  assert.lengthOf(short, denied === -1 ? CODES.length : denied + 1)

  const [code] = CODES
  const subjects = await walk(2, (page) => findSubjects(app, first, page))
  const resources = await walk(2, (page) => findResources(app, first, page))
  const actions = await walk(2, (page) => findActions(app, first, page))
  assert.deepEqual(
    {
      subjects: ofWorld(subjects.map(({ id }) => id)),
      resources: resources.map(({ id }) => id),
      actions: actions.map(({ name }) => name),
    },
    {
      subjects: scene.expectedSubjects(scope, code, now),
      resources: scene.expectedResources(scope, code, now),
      actions: scene.expectedActions(scope, now),
    }
  )
}

async function throughTime(work: (now: number) => Promise<unknown>) {
  try {
    for (const now of MOMENTS) {
      Settings.now = () => now
      await work(now)
    }
  } finally {
    Settings.now = () => Date.now()
  }
}

const decisionsOf = ({ json }: Answer): boolean[] =>
  json.evaluations.map(({ decision }: { decision: boolean }) => decision)

test.group('AuthZEN compared with a naive oracle', (group) => {
  group.each.teardown(deleteWorlds)

  test('agrees on random worlds, through the cache and without it, before and after a change', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(worldPlan, changePlan, attributesPlan, async (plan, change, attributes) => {
        const world = buildWorld(plan)
        const scene = await new Scene(world, { attributes }).store()
        try {
          const agree = () =>
            throughTime(async (now) => {
              for (const scope of scopesOf(world, plan)) {
                await compare(assert, scene, onResource(scope), now)
              }
            })
          await agree()
          decisions.clear()
          await agree()
          await applyChange(world, change)
          await agree()
        } finally {
          // A super admin of one world would be found in the next.
          await deleteWorlds()
        }
      }),
      { numRuns: WORLDS }
    )
  }).timeout(180_000 + WORLDS * 1_000)

  test('agrees over HTTP', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(worldPlan, attributesPlan, async (plan, attributes) => {
        const world = buildWorld(plan)
        const scene = await new Scene(world, { attributes }).store()
        try {
          for (const scope of scopesOf(world, plan).map(onResource)) {
            const { app } = scope
            const [code] = CODES
            const request = scene.request(scope, code)
            if (!world.applications.includes(app)) {
              assert.equal((await ask(app, 'evaluation', request)).status, 404)
              continue
            }
            const single = await ask(app, 'evaluation', request)
            const { properties } = request.action
            const evaluations = CODES.map((name) => ({ action: { name, properties } }))
            const batch = await ask(app, 'evaluations', { ...request, evaluations })
            const expected = CODES.map((name) => scene.expected(scope, name))
            assert.strictEqual(single.json.decision, expected[0])
            assert.deepEqual(decisionsOf(batch), expected)
            const resources = await ask(app, 'search/resource', request)
            const subjects = await ask(app, 'search/subject', request)
            const idsIn = ({ json }: Answer): string[] =>
              json.results.map(({ id }: { id: string }) => id)
            assert.deepEqual(idsIn(resources), scene.expectedResources(scope, code))
            assert.deepEqual(ofWorld(idsIn(subjects)), scene.expectedSubjects(scope, code))
          }
        } finally {
          await deleteWorlds()
        }
      }),
      { numRuns: WORLDS_OVER_HTTP }
    )
  }).timeout(180_000 + WORLDS * 1_000)
})
