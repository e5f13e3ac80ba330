import fc from 'fast-check'
import { Settings } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { asPartsOf, transaction } from '#core/database/transaction'
import { applyEach } from '#app/permissions/changes/apply_each'
import { readAccessChanges } from '#app/permissions/changes/read_access_changes'
import Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import { decideAll } from '#app/checks/actions/decide_in_turn'
import { judgeAll } from '#app/checks/actions/judge_all'
import { previewFlips } from '#app/checks/actions/preview_flips'
import { readFacts } from '#app/checks/actions/read_facts'
import { flipPage } from '#app/checks/transformers/flip_page'
import { NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { checkScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import { byBytes } from '#core/values/byte_order'
import { currentTime } from '#core/values/clock'
import { rankOf } from '#app/permissions/values/access_level'
import { attributesPlan } from '#tests/helpers/access_conditions'
import {
  type AccessWorld,
  NEW_YEAR,
  PERMISSION_CODES,
  buildWorld,
  storeWorlds,
  worldPlan,
} from '#tests/helpers/access_world'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import { previewBody, previewPlan } from '#tests/helpers/preview_changes'

/** `ORACLE_WORLDS=20000` compares that many; see CONTRIBUTING.md. */
const WORLDS = Number(process.env.ORACLE_WORLDS ?? 200)
const CODES = [...PERMISSION_CODES, 'renamed'].sort(byBytes)

async function definedCodes(app: string): Promise<string[]> {
  const { id: applicationId } = await Application.withCode(app)
  return (await Permission.findManyBy({ applicationId })).map(({ code }) => code)
}

interface Resource {
  type: string
  id: string
}

/** Those that the catalog has or an override names. */
async function namedResources(app: string): Promise<Resource[]> {
  const catalogued = await db
    .from('resources')
    .join('entities', 'entities.id', 'resources.entity_id')
    .join('applications', 'applications.id', 'entities.application_id')
    .where('applications.code', app)
    .select('entities.code as type', 'resources.resource_id as id')
  const named = await db
    .from('resource_overrides')
    .join('permissions', 'permissions.id', 'resource_overrides.permission_id')
    .join('applications', 'applications.id', 'permissions.application_id')
    .where('applications.code', app)
    .select('resource_type as type', 'resource_id as id')
  return [...catalogued, ...named]
}

function distinct(resources: Resource[]): Resource[] {
  const byKey = new Map(resources.map((each) => [JSON.stringify([each.type, each.id]), each]))
  return [...byKey.values()].sort((a, b) => byBytes(a.type, b.type) || byBytes(a.id, b.id))
}

interface Asked {
  email: string
  resource: Resource | null
  permission: string
  decision: Decision
}

/** Asks every check, in the order of previews. */
async function everyDecision(
  world: AccessWorld,
  app: string,
  resources: Resource[],
  attributes = NO_ATTRIBUTES
): Promise<Asked[]> {
  const people = [...world.people, `new-${world.people[0]}`].sort(byBytes)
  const decisions: Asked[] = []
  for (const email of people) {
    for (const resource of [null, ...resources]) {
      const scope = checkScope(email, app, resource?.type, resource?.id)
      const judged = await judgeAll(scope, CODES, await readFacts(scope, CODES))
      const decided = await decideAll(judged, attributes, currentTime())
      decisions.push(
        ...CODES.map((permission, index) => {
          return { email, resource, permission, decision: decided[index] }
        })
      )
    }
  }
  return decisions.sort((a, b) => byBytes(a.email, b.email) || byBytes(a.permission, b.permission))
}

type Difference = ReturnType<typeof differences>[number]

function differences(before: Asked[], after: Asked[]) {
  return before.flatMap(({ email, permission, resource, decision }, index) => {
    const { level, source } = after[index].decision
    if (level === decision.level) return []
    return {
      email,
      permission,
      resourceType: resource?.type ?? null,
      resourceId: resource?.id ?? null,
      before: { level: decision.level, source: decision.source },
      after: { level, source },
    }
  })
}

/** Reads all pages, one after another. */
async function preview(app: string, body: unknown, limit: number) {
  const changes = await readAccessChanges(body)
  const pages: ReturnType<typeof flipPage>[] = []
  for (let cursor: string | undefined; ; cursor = pages.at(-1)!.nextCursor!) {
    const options = {
      page: { limit, cursor },
      asked: body,
      changer: { caller: 'a test', application: null },
    }
    pages.push(flipPage(await previewFlips(app, applyEach(app, changes), options)))
    if (pages.at(-1)!.nextCursor === null) return pages
    if (pages.length > 2_000) throw new Error('The preview does not end')
  }
}

const isGain = ({ before, after }: Difference) => rankOf(after.level) > rankOf(before.level)

test.group('Previews compared with what the changes do', (group) => {
  group.each.setup(() => {
    Settings.now = () => NEW_YEAR
    return () => {
      Settings.now = () => Date.now()
    }
  })

  test('list exactly the decisions that differ after the same changes, on random worlds', async ({
    assert,
  }) => {
    const limits = fc.constantFrom(1, 2, 7, 1_000)
    await fc.assert(
      fc.asyncProperty(
        worldPlan,
        previewPlan,
        limits,
        attributesPlan,
        async (plan, changePlan, limit, { resource: _, ...attributes }) => {
          const world = buildWorld(plan)
          const app = world.applications[0]
          await storeWorlds([world], 'positive')
          try {
            const body = await previewBody(world, app, changePlan)
            if (body.length === 0) return
            const stored = await dumpDatabase()
            const pages = await preview(app, body, limit)
            assert.deepEqual(await dumpDatabase(), stored)

            const named = await namedResources(app)
            const defined = await definedCodes(app)
            const changes = await readAccessChanges(body)
            const apply = applyEach(app, changes)
            const ask = async (resources: Resource[]) => ({
              plain: await everyDecision(world, app, resources),
              withAttributes: await everyDecision(world, app, resources, attributes),
            })
            const maybeNamed = distinct([
              ...named,
              ...body.flatMap(({ op, resourceType, resourceId }) =>
                op === 'replaceOverrides' ? { type: `${resourceType}`, id: `${resourceId}` } : []
              ),
            ])
            const before = await ask(maybeNamed)
            await transaction((trx) => asPartsOf(trx, () => apply(trx)))
            const after = await ask(maybeNamed)
            const codes = new Set([...defined, ...(await definedCodes(app))])
            const isNamed = new Set(
              distinct([...named, ...(await namedResources(app))]).map(({ type, id }) =>
                JSON.stringify([type, id])
              )
            )
            const isListed = ({ permission, resourceType: type, resourceId: id }: Difference) =>
              codes.has(permission) && (type === null || isNamed.has(JSON.stringify([type, id])))
            const expected = differences(before.plain, after.plain).filter(isListed)
            const found = pages.flatMap(({ flips }) =>
              flips.map(({ conditional, condition, missing, ...flip }: any) => flip)
            )
            assert.deepEqual(found, expected)
            const gained = expected.filter(isGain).length
            for (const page of pages) {
              assert.equal(page.total, expected.length)
              assert.equal(page.gained, gained)
              assert.equal(page.lost, expected.length - gained)
            }
            // Attributes that are not stored make a difference only where the preview says so.
            const keyOf = (flip: object) => JSON.stringify({ ...flip, before: null, after: null })
            const flipped = new Set(expected.map(keyOf))
            const others = differences(before.withAttributes, after.withAttributes).filter(
              (flip) => isListed(flip) && !flipped.has(keyOf(flip))
            )
            assert.isAtMost(others.length, pages[0].conditional)
          } finally {
            await db.from('applications').whereIn('code', world.applications).delete()
            await deleteWorlds()
          }
        }
      ),
      { numRuns: WORLDS }
    )
  }).timeout(180_000 + WORLDS * 1_000)
})
