import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { searchResources } from '#app/checks/actions/search_resources'
import { recordStatements } from '#tests/helpers/count_statements'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const OWN = '/api/profile/me/check/search/resources'
const SUBJECTS = '/api/check/search/subjects'
const RESOURCES = '/api/check/search/resources'

/** Two members whose role grants a permission, in an application with some orders. */
async function anOffice(client: ApiClient, orders = 3, condition: string | null = null) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const permission = await manage.permission({ code: 'orders' })
  const role = await manage.role()
  await manage.rolePermissions(role.id, [
    { permissionId: permission.id, accessLevel: 'allowed', condition },
  ])
  const members = [uniqueEmail('ada'), uniqueEmail('bob')]
  for (const email of members) await manage.userRoles(email, [role.id])
  const { id: entityId } = await manage.entity({ code: 'order' })
  await catalogue(entityId, orders)
  const subjects = { app: application.code, permission: 'orders' }
  return { application, members, subjects, resources: { ...subjects, resourceType: 'order' } }
}

async function catalogue(entityId: number, orders: number) {
  const now = new Date().toISOString()
  const times = { created_at: now, updated_at: now }
  const rows = Array.from({ length: orders }, (_, index) => ({
    entity_id: entityId,
    resource_id: String(index).padStart(5, '0'),
    properties: '{"status":"closed"}',
    ...times,
  }))
  for (let start = 0; start < rows.length; start += 500) {
    await db.table('resources').multiInsert(rows.slice(start, start + 500))
  }
}

test.group('Cursors of searches', () => {
  test('are refused if they were made up, cut off or changed', async ({ assert, client }) => {
    const { subjects } = await anOffice(client)
    const search = (body: object) => client.post(SUBJECTS).json({ ...subjects, limit: 1, ...body })
    const { nextCursor } = (await search({})).body().data
    assert.isString(nextCursor)
    const cursors = [
      'x',
      '__proto__',
      'aWQ6Nw',
      nextCursor.slice(0, -1),
      nextCursor.slice(1),
      `${nextCursor}x`,
      nextCursor.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')),
      nextCursor.split('.').reverse().join('.'),
    ]
    for (const cursor of cursors) {
      const response = await search({ cursor })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'cursor' }] })
    }
    ;(await search({ cursor: nextCursor, limit: 7, count: false })).assertStatus(200)
  })

  test('belong to one search', async ({ client }) => {
    const { subjects, resources, members } = await anOffice(client)
    const other = await anOffice(client)
    const body = { ...subjects, limit: 1 }
    const { nextCursor: cursor } = (await client.post(SUBJECTS).json(body)).body().data
    const searches: [string, object][] = [
      [SUBJECTS, { ...body, app: other.subjects.app }],
      [SUBJECTS, { ...body, permission: 'other' }],
      [SUBJECTS, { ...body, level: 'allowed' }],
      [SUBJECTS, { ...body, resourceType: 'order', resourceId: '00001' }],
      [SUBJECTS, { ...body, attributes: { context: { amount: 1 } } }],
      [RESOURCES, { ...resources, email: members[0] }],
    ]
    for (const [path, search] of searches) {
      const response = await client.post(path).json({ ...search, cursor })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'cursor' }] })
    }
  })

  test('of one user are refused for another', async ({ assert, client }) => {
    const { resources, members } = await anOffice(client)
    const [ada, bob] = members.map((email) => signedIn(client, email))
    const { nextCursor: cursor } = (await ada.post(OWN, { ...resources, limit: 1 })).body()
    assert.isString(cursor)
    const response = await bob.post(OWN, { ...resources, limit: 1, cursor })
    response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'cursor' }] })
    ;(await ada.post(OWN, { ...resources, limit: 1, cursor })).assertStatus(200)
  })
})

test.group('Large searches', () => {
  test('a user without access does not read the catalog', async ({ assert, client }) => {
    const { resources } = await anOffice(client)
    const body = { ...resources, email: uniqueEmail() }
    const statements = await recordStatements(async () => {
      const { data } = (await client.post(RESOURCES).json(body)).body()
      assert.deepEqual([data.everywhere, data.results, data.total], [false, [], 0])
    })
    assert.isAbove(statements.length, 0)
    assert.lengthOf(
      statements.filter((sql) => /from resources\b|catalogued_resources/.test(sql)),
      0
    )
  })

  test('a page ends when it has looked at many resources', async ({ assert, client }) => {
    const condition = 'resource.properties.status == "open"'
    const { resources, members } = await anOffice(client, 5_500, condition)
    const search = async (body: object) => {
      const question = { ...resources, email: members[0], ...body }
      const response = await client.post(RESOURCES).json(question)
      response.assertStatus(200)
      return response.body().data
    }
    let pages = 0
    for (let cursor: string | undefined; ; pages++) {
      const page = await search(cursor ? { cursor } : {})
      assert.deepEqual(page.results, [])
      assert.isNull(page.total)
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    assert.isAtLeast(pages, 1)
    const counted = await search({ count: true })
    assert.equal(counted.total, 0)
  }).timeout(60_000)
})

test.group('Hostile searches', () => {
  test('let other requests run in between', async ({ assert, client }) => {
    const { members, resources } = await anOffice(client, 3_000)
    const { app, permission, resourceType } = resources
    const search = { scope: { email: members[0], app, resourceType }, permission }
    let [turns, isOver] = [0, false]
    const takeTurns = () => void (isOver || (turns++, setImmediate(takeTurns)))
    setImmediate(takeTurns)
    const page = await searchResources(search, { limit: 1_000, count: true }, uniqueCode())
    isOver = true
    assert.equal(page.total, 3_000)
    // 500 resources are decided in one turn.
    assert.isAtLeast(turns, 5)
  })

  test('reveal nothing about hidden applications', async ({ assert, client }) => {
    const { application, resources } = await anOffice(client)
    await Application.query().where({ id: application.id }).update({ membership: 'granted' })
    const stranger = signedIn(client, uniqueEmail())
    for (const path of [OWN, OWN.replace('resources', 'permissions')]) {
      const hidden = await stranger.post(path, { ...resources, limit: 1, count: true })
      const unknown = { ...resources, app: uniqueCode(), limit: 1, count: true }
      const missing = await stranger.post(path, unknown)
      hidden.assertStatus(200)
      assert.deepEqual(hidden.body(), missing.body())
      assert.deepEqual(Object.keys(hidden.headers()), Object.keys(missing.headers()))
    }
  })

  test('take codes of any spelling', async ({ assert, client }) => {
    const { resources } = await anOffice(client)
    for (const name of ['__proto__', 'constructor', "'; drop table users; --", '\u{1f600}', '%']) {
      const body = { ...resources, email: uniqueEmail(), resourceType: name, permission: name }
      const { data } = (await client.post(RESOURCES).json(body)).body()
      assert.deepEqual([data.everywhere, data.results], [false, []])
      const unknown = await client.post(SUBJECTS).json({ app: name, permission: name })
      unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
    assert.isNotNull(await Entity.first())
  })

  const invalid: Record<string, unknown[]> = {
    email: [undefined, 'ada', ['ada@acme.example'], {}, `${'a'.repeat(300)}@acme.example`],
    app: [undefined, '', 7, 'x'.repeat(256)],
    permission: [undefined, '', []],
    resourceType: [undefined, '', 7],
    level: ['all', 3],
    limit: [0, 1_001, -1, 1.5, '5'],
    cursor: ['', 7, 'x'.repeat(4_097)],
    count: ['yes', 1, 'true'],
    attributes: [[], 'x', { context: { x: 'y'.repeat(16_385) } }],
  }

  test('are refused with an invalid {$self}')
    .with(Object.keys(invalid))
    .run(async ({ client }, field) => {
      const question = { email: uniqueEmail(), app: 'auth', permission: 'p', resourceType: 't' }
      for (const value of invalid[field]) {
        const response = await client.post(RESOURCES).json({ ...question, [field]: value })
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      }
    })

  test('nobody describes themselves', async ({ client }) => {
    const { resources, members } = await anOffice(client)
    const user = signedIn(client, members[0])
    const attributes = { subject: { vip: true } }
    for (const path of [OWN, OWN.replace('resources', 'permissions')]) {
      const response = await user.post(path, { ...resources, attributes })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'attributes.subject' }] })
    }
  })

  test('long counts of one caller run one after another', async ({ assert, client }) => {
    const { application } = await anOffice(client)
    const path = `/api/applications/${application.code}/access/search/subjects`
    const body = { permission: 'orders', count: true, limit: 1 }
    const admin = superAdmin(client)
    const responses = await Promise.all(Array.from({ length: 5 }, () => admin.post(path, body)))
    for (const response of responses) {
      response.assertStatus(200)
      assert.isNumber(response.body().data.total)
    }
  })
})
