import { test } from '@japa/runner'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import emitter from '@adonisjs/core/services/emitter'
import AccessChanged from '#core/events/access_changed'
import { findResourceProperties } from '#app/applications/actions/find_resource_properties'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import { anotherService } from '#tests/helpers/internal'
import { TIMESTAMP, inPath, manageApplication } from '#tests/helpers/management'
import { allPages } from '#tests/helpers/pages'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'

interface Access {
  get: (path: string) => Promise<ApiResponse>
  put: (path: string, body: object) => Promise<ApiResponse>
  post: (path: string, body: object) => Promise<ApiResponse>
}

/** An application with the entity `document`, and both ways to its catalog. */
async function aCatalog(client: ApiClient) {
  const application = await anApplication()
  const entity = await manageApplication(client, application.code).entity({ code: 'document' })
  return {
    application,
    entity,
    admin: superAdmin(client),
    path: `/api/applications/${application.code}/entities/${entity.id}/resources`,
    internalPath: `/api/internal/applications/${application.code}/entities/document/resources`,
  }
}

async function listed({ get }: Pick<Access, 'get'>, path: string) {
  const { items } = await allPages<{ resourceId: string; updatedAt: string }>(get, path)
  return items.map(({ updatedAt, ...resource }) => resource)
}

const numbered = (count: number, prefix = 'd') =>
  Array.from({ length: count }, (_, index) => ({ resourceId: `${prefix}-${index}` }))

test.group('Resource catalog', () => {
  test('resources are added, updated one by one, listed and deleted, by {$self}')
    .with(['an administrator', 'the platform', 'the application'])
    .run(async ({ client, assert }, caller) => {
      const { application, admin, path, internalPath } = await aCatalog(client)
      const server = serverWith(client, (await aKeyOf(application)).text)
      const internal = internalPath.replace('/api/internal', '')
      const [own, base]: [Access, string] = {
        'an administrator': [admin, path] as [Access, string],
        'the platform': [anotherService(client) as Access, internalPath] as [Access, string],
        'the application': [server, internal] as [Access, string],
      }[caller]!
      const properties = { status: 'draft', tags: ['a', { deep: null }], pages: 12 }
      const created = await own.put(base, {
        resources: [
          { resourceId: '7', label: 'Contract', properties },
          { resourceId: 'x/ý ?', label: null },
          { resourceId: '8' },
        ],
      })
      created.assertStatus(200)
      created.assertBody({ success: true, data: { created: 3, updated: 0, unchanged: 0 } })

      const updated = await own.put(base, {
        resources: [
          { resourceId: '8', label: 'Offer' },
          { resourceId: '7', properties: { status: 'final' } },
          { resourceId: 'x/ý ?', properties: {} },
          { resourceId: '9', properties: null },
        ],
      })
      updated.assertStatus(200)
      updated.assertBody({ success: true, data: { created: 1, updated: 2, unchanged: 1 } })
      assert.deepEqual(await listed(own, base), [
        { resourceId: '7', label: 'Contract', properties: { status: 'final' } },
        { resourceId: 'x/ý ?', label: null, properties: {} },
        { resourceId: '8', label: 'Offer', properties: {} },
        { resourceId: '9', label: null, properties: {} },
      ])

      const cleared = await own.put(base, { resources: [{ resourceId: '7', label: null }] })
      cleared.assertBody({ success: true, data: { created: 0, updated: 1, unchanged: 0 } })
      const deleted = await own.post(`${base}/delete`, { resourceIds: ['8', 'none', 'x/ý ?'] })
      deleted.assertStatus(200)
      deleted.assertBody({ success: true, data: { deleted: 2 } })
      assert.deepEqual(await listed(own, base), [
        { resourceId: '7', label: null, properties: { status: 'final' } },
        { resourceId: '9', label: null, properties: {} },
      ])
    })

  test('properties in another order are the same', async ({ client }) => {
    const { admin, path } = await aCatalog(client)
    const save = (properties: object) =>
      admin.put(path, { resources: [{ resourceId: '1', properties }] })
    await save({ a: 1, b: { c: 2, d: 3 } })
    const again = await save({ b: { d: 3, c: 2 }, a: 1 })
    again.assertBody({ success: true, data: { created: 0, updated: 0, unchanged: 1 } })
  })

  test('the time of an update stays while nothing changes', async ({ client, assert }) => {
    const { admin, path } = await aCatalog(client)
    const body = { resources: [{ resourceId: '1', label: 'One', properties: { a: 1 } }] }
    await admin.put(path, body)
    const [first] = (await admin.get(path)).body().data
    assert.match(first.updatedAt, TIMESTAMP)
    await admin.put(path, body)
    assert.deepEqual((await admin.get(path)).body().data, [first])
    await admin.put(path, { resources: [{ resourceId: '1', properties: { a: 2 } }] })
    const [second] = (await admin.get(path)).body().data
    assert.isAbove(Date.parse(second.updatedAt), Date.parse(first.updatedAt) - 1)
    assert.deepEqual(second, { ...first, properties: { a: 2 }, updatedAt: second.updatedAt })
  })

  test('the list has pages in the order of creation, a count and a search', async ({
    client,
    assert,
  }) => {
    const { admin, path } = await aCatalog(client)
    const resources = [
      { resourceId: 'B-1', label: 'Červená smlouva' },
      { resourceId: 'a-2', label: '100 % wool_coat' },
      { resourceId: 'A-3' },
      ...numbered(9),
    ]
    await admin.put(path, { resources })
    const ids = resources.map(({ resourceId }) => resourceId)
    const paged = await allPages<{ resourceId: string }>(admin.get, `${path}?limit=5`)
    assert.deepEqual(
      paged.items.map(({ resourceId }) => resourceId),
      ids
    )
    assert.deepEqual(paged.sizes, [5, 5, 2])
    const counted = await admin.get(`${path}?limit=1&count=true`)
    assert.equal(counted.header('x-total-count'), '12')

    const searches = {
      'a-': ['a-2', 'A-3'],
      'ČERVENÁ': ['B-1'],
      'smlouva': ['B-1'],
      '% WOOL_': ['a-2'],
      '_1': [],
    }
    for (const [search, expected] of Object.entries(searches)) {
      const found = await listed(admin, `${path}?limit=1&search=${inPath(search)}`)
      assert.deepEqual(
        found.map(({ resourceId }) => resourceId),
        expected,
        search
      )
    }
    const some = await admin.get(`${path}?search=d-&count=true&limit=2`)
    assert.equal(some.header('x-total-count'), '9')
    for (const query of ['limit=0', 'limit=201', 'cursor=x', 'search=%00']) {
      const refused = await admin.get(`${path}?${query}`)
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('the same id belongs to each entity and application by itself', async ({
    client,
    assert,
  }) => {
    const { application, admin, path } = await aCatalog(client)
    const other = await aCatalog(client)
    const folder = await manageApplication(client, application.code).entity({ code: 'folder' })
    const folders = `/api/applications/${application.code}/entities/${folder.id}/resources`
    await admin.put(path, { resources: [{ resourceId: '1', properties: { of: 'document' } }] })
    await admin.put(folders, { resources: [{ resourceId: '1', properties: { of: 'folder' } }] })
    assert.deepEqual(await listed(admin, other.path), [])
    const find = (app: string, resourceType: string, resourceId: string) =>
      findResourceProperties({ app, resourceType, resourceId })
    assert.deepEqual(await find(application.code, 'document', '1'), { of: 'document' })
    assert.deepEqual(await find(application.code, 'folder', '1'), { of: 'folder' })
    assert.isUndefined(await find(other.application.code, 'document', '1'))
    assert.isUndefined(await find(application.code, 'document', '2'))
    assert.isUndefined(await find(application.code, 'letter', '1'))
  })

  test('an entity of another application, or none, is not found', async ({ client, assert }) => {
    const mine = await aCatalog(client)
    const other = await aCatalog(client)
    const { admin } = mine
    const crossed = `/api/applications/${mine.application.code}/entities/${other.entity.id}/resources`
    const service = anotherService(client)
    const unknown = mine.internalPath.replace('/document/', '/letter/')
    const resources = [{ resourceId: '1' }]
    const responses = [
      await admin.get(crossed),
      await admin.put(crossed, { resources }),
      await admin.post(`${crossed}/delete`, { resourceIds: ['1'] }),
      await service.get(unknown),
      await service.put(unknown, { resources }),
      await service.post(`${unknown}/delete`, { resourceIds: ['1'] }),
    ]
    for (const response of responses) response.assertProblem(404, 'ENTITY_NOT_FOUND')
    const nowhere = `/api/internal/applications/${uniqueCode()}/entities/document/resources`
    const missing = await service.put(nowhere, { resources })
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')
    assert.deepEqual(await listed(admin, other.path), [])
  })

  test('a view level reads, an edit level changes', async ({ client }) => {
    const { application, path } = await aCatalog(client)
    const [viewer, editor] = [
      signedIn(client, await panelPerson(client, { [application.code]: 'view' })),
      signedIn(client, await panelPerson(client, { [application.code]: 'edit' })),
    ]
    const body = { resources: [{ resourceId: '1' }] }
    ;(await viewer.get(path)).assertStatus(200)
    ;(await viewer.put(path, body)).assertProblem(403, 'FORBIDDEN')
    const deletion = { resourceIds: ['1'] }
    ;(await viewer.post(`${path}/delete`, deletion)).assertProblem(403, 'FORBIDDEN')
    ;(await editor.put(path, body)).assertStatus(200)
    ;(await editor.post(`${path}/delete`, deletion)).assertStatus(200)
  })

  test('{what} is refused, and nothing is stored')
    .with([
      { what: 'no list', body: {}, field: 'resources' },
      { what: 'an object', body: { resources: {} }, field: 'resources' },
      {
        what: 'a repeated id',
        body: { resources: [{ resourceId: '1' }, { resourceId: '1', label: 'Again' }] },
        field: 'resources',
      },
      { what: 'too many', body: { resources: numbered(1_001) }, field: 'resources' },
      {
        what: 'an empty id',
        body: { resources: [{ resourceId: '' }] },
        field: 'resources.0.resourceId',
      },
      {
        what: 'a number as id',
        body: { resources: [{ resourceId: 7 }] },
        field: 'resources.0.resourceId',
      },
      {
        what: 'a long id',
        body: { resources: [{ resourceId: 'x'.repeat(256) }] },
        field: 'resources.0.resourceId',
      },
      {
        what: 'a NUL character',
        body: { resources: [{ resourceId: 'a\u0000' }] },
        field: 'resources.0.resourceId',
      },
      {
        what: 'a label of two lines',
        body: { resources: [{ resourceId: '1', label: 'a\nb' }] },
        field: 'resources.0.label',
      },
      {
        what: 'a list of properties',
        body: { resources: [{ resourceId: '1', properties: [] }] },
        field: 'resources.0.properties',
      },
      {
        what: 'a text as properties',
        body: { resources: [{ resourceId: '1', properties: '{}' }] },
        field: 'resources.0.properties',
      },
      {
        what: 'large properties',
        body: { resources: [{ resourceId: '1', properties: { text: 'ý'.repeat(8_188) } }] },
        field: 'resources.0.properties',
      },
      {
        what: 'deep properties',
        body: { resources: [{ resourceId: '1', properties: nested(30) }] },
        field: '',
      },
      {
        what: 'one bad resource of many',
        body: { resources: [...numbered(50), { resourceId: null }] },
        field: 'resources.50.resourceId',
      },
    ])
    .run(async ({ client, assert }, { body, field }) => {
      const { admin, path } = await aCatalog(client)
      const refused = await admin.put(path, body)
      refused.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      assert.deepEqual(await listed(admin, path), [])
    })

  test('the largest request is accepted', async ({ client, assert }) => {
    const { admin, path } = await aCatalog(client)
    const resources = numbered(1_000).map((resource, index) => ({
      ...resource,
      properties: index < 20 ? { text: 'x'.repeat(16_384 - 11) } : nested(28),
    }))
    const response = await admin.put(path, { resources })
    response.assertBody({ success: true, data: { created: 1_000, updated: 0, unchanged: 0 } })
    assert.deepEqual(
      await listed(admin, `${path}?limit=200`),
      resources.map((resource) => ({ ...resource, label: null }))
    )
    const repeated = await admin.put(path, { resources })
    repeated.assertBody({ success: true, data: { created: 0, updated: 0, unchanged: 1_000 } })
    const resourceIds = resources.map(({ resourceId }) => resourceId)
    const deleted = await admin.post(`${path}/delete`, { resourceIds })
    deleted.assertBody({ success: true, data: { deleted: 1_000 } })
  })

  test('names of object properties are ordinary ids, and never reach a prototype', async ({
    client,
    assert,
  }) => {
    const { application, admin, path } = await aCatalog(client)
    const ids = ['__proto__', 'constructor', ' ', "'; drop table resources; --", '\u{1f4a9}']
    const resources = ids.map((resourceId) => ({ resourceId, properties: { of: resourceId } }))
    ;(await admin.put(path, { resources })).assertStatus(200)
    assert.deepEqual(
      await listed(admin, path),
      resources.map((resource) => ({ ...resource, label: null }))
    )
    for (const resourceId of ids) {
      const name = { app: application.code, resourceType: 'document', resourceId }
      assert.deepEqual(await findResourceProperties(name), { of: resourceId })
    }
  })

  test('concurrent requests for the same resources all succeed, and each is stored once', async ({
    client,
    assert,
  }) => {
    const { admin, path } = await aCatalog(client)
    const all = numbered(300)
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, round) => {
        const resources = all.map((resource) => ({ ...resource, properties: { round } }))
        return round % 4 === 3
          ? admin.post(`${path}/delete`, { resourceIds: all.map((one) => one.resourceId) })
          : admin.put(path, { resources: round % 2 ? resources.toReversed() : resources })
      })
    )
    for (const response of responses) response.assertStatus(200)
    await admin.put(path, { resources: all })
    const found = await listed(admin, `${path}?limit=200`)
    assert.sameMembers(
      found.map(({ resourceId }) => resourceId),
      all.map(({ resourceId }) => resourceId)
    )
    assert.lengthOf(found, 300)
  })
})

/** An object with this many levels. */
function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) }
}

test.group('Resource catalog and other records', () => {
  test('an entity takes its resources with it, which a dry run names', async ({
    client,
    assert,
  }) => {
    const { application, admin, entity, path } = await aCatalog(client)
    await admin.put(path, { resources: numbered(3) })
    const entityPath = `/api/applications/${application.code}/entities/${entity.id}`
    const preview = await admin.delete(`${entityPath}?dryRun=true`)
    assert.deepEqual(preview.body().data.deletes, [
      { kind: 'entity', count: 1, names: ['document'] },
      { kind: 'resource', count: 3, names: ['d-0', 'd-1', 'd-2'] },
    ])
    assert.lengthOf(await listed(admin, path), 3)
    ;(await admin.delete(entityPath)).assertStatus(204)
    const again = await manageApplication(client, application.code).entity({ code: 'document' })
    assert.deepEqual(await listed(admin, path.replace(`/${entity.id}/`, `/${again.id}/`)), [])
  })

  test('resources are saved while their entity is deleted, or not at all', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 6; round++) {
      const { application, admin, entity, path } = await aCatalog(client)
      const [saved, deleted] = await Promise.all([
        admin.put(path, { resources: numbered(100) }),
        admin.delete(`/api/applications/${application.code}/entities/${entity.id}`),
      ])
      assert.include([200, 404], saved.status())
      deleted.assertStatus(204)
      ;(await admin.get(path)).assertProblem(404, 'ENTITY_NOT_FOUND')
    }
  })

  test('what decisions can depend on is announced, and nothing else', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { application, admin, entity, path } = await aCatalog(client)
    const announced: unknown[] = []
    cleanup(emitter.on(AccessChanged, ({ scopes }) => void announced.push(...scopes)))
    const mine = { application: application.code }
    const ofType = (resourceType: string) => ({ ...mine, resourceType })
    const expectAnnounced = async (expected: unknown[], change: Promise<ApiResponse>) => {
      assert.isBelow((await change).status(), 300)
      assert.deepEqual(
        announced.filter((scope: any) => scope.application === mine.application),
        expected
      )
      announced.length = 0
    }
    const save = (fields: object) =>
      admin.put(path, { resources: [{ resourceId: '1', ...fields }] })
    await expectAnnounced([], save({}))
    await expectAnnounced([ofType(entity.code)], save({ properties: { status: 'draft' } }))
    await expectAnnounced([], save({ properties: { status: 'draft' } }))
    await expectAnnounced([], save({ label: 'One' }))
    const entityPath = `/api/applications/${application.code}/entities/${entity.id}`
    await expectAnnounced([], admin.put(entityPath, { name: 'Paper' }))
    await expectAnnounced([mine], admin.put(entityPath, { code: 'paper' }))
    await expectAnnounced([ofType('paper')], admin.post(`${path}/delete`, { resourceIds: ['1'] }))
    await expectAnnounced([], admin.post(`${path}/delete`, { resourceIds: ['1'] }))
    await expectAnnounced([], admin.delete(`${entityPath}?dryRun=true`))
    await expectAnnounced([mine], admin.delete(entityPath))
  })

  test('a key of another application neither reads nor changes the catalog', async ({
    client,
    assert,
  }) => {
    const { admin, path, internalPath } = await aCatalog(client)
    await admin.put(path, { resources: numbered(1) })
    const stranger = serverWith(client, (await aKeyOf(await anApplication())).text)
    const internal = internalPath.replace('/api/internal', '')
    const responses = [
      await stranger.get(internal),
      await stranger.put(internal, { resources: numbered(2) }),
      await stranger.post(`${internal}/delete`, { resourceIds: ['d-0'] }),
    ]
    for (const response of responses) response.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
    assert.lengthOf(await listed(admin, path), 1)
  })
})
