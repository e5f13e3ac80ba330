import { test } from '@japa/runner'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { startService } from '#tests/world/service'

test.group('Allowed origins of a listEndpoint', () => {
  test('outside production, every origin is allowed unless the setting lists some', async ({
    client,
  }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).post(`/api/applications/${code}/entities`, {
      code: 'project',
      name: 'Project',
      listEndpoint: 'http://anywhere.example:8080/items',
    })
    response.assertStatus(201)
  })

  test('an origin that is not allowed is refused on save', async ({ client, assert, cleanup }) => {
    const service = await startService({
      ...sameDatabase(),
      ENTITY_ALLOWED_ORIGINS: 'https://lists.example, http://127.0.0.1:8999',
    })
    cleanup(async () => void (await service.stop()))
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const path = `${service.url}/api/applications/${code}/entities`
    const refused = [
      'https://evil.example/items',
      'http://lists.example/items',
      'https://lists.example:8443/items',
      'https://lists.example.evil.example/items',
      'https://sub.lists.example/items',
      'http://127.0.0.1:9000/items',
    ]
    for (const listEndpoint of refused) {
      const response = await admin.post(path, { code: 'project', name: 'Project', listEndpoint })
      response.assertProblem(400, 'ENTITY_ORIGIN_NOT_ALLOWED')
    }
    const accepted = await admin.post(path, {
      code: 'project',
      name: 'Project',
      listEndpoint: 'https://LISTS.example:443/items?of=all',
    })
    accepted.assertStatus(201)
    const { id } = accepted.body().data
    const changed = await admin.put(`${path}/${id}`, {
      name: 'Renamed',
      listEndpoint: 'https://evil.example/items',
    })
    changed.assertProblem(400, 'ENTITY_ORIGIN_NOT_ALLOWED')
    const stored = await admin.get(`${path}/${id}`)
    assert.deepEqual(stored.body(), accepted.body())
    const cleared = await admin.put(`${path}/${id}`, { listEndpoint: null })
    cleared.assertStatus(200)
  })

  test('a stored endpoint whose origin is no longer allowed is refused and receives no token', async ({
    client,
    assert,
    cleanup,
  }) => {
    const list = await new TestHttpServer((_, response) => sendJson(response, [{ id: 1 }])).start()
    cleanup(() => list.stop())
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    await manage.entity({ code: 'project', listEndpoint: `${list.url}/items` })
    const service = await startService({
      ...sameDatabase(),
      ENTITY_ALLOWED_ORIGINS: 'https://lists.example',
    })
    cleanup(async () => void (await service.stop()))
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/entities/project/items`
    const refused = await admin.get(`${service.url}${path}`)
    refused.assertProblem(400, 'ENTITY_ORIGIN_NOT_ALLOWED')
    assert.isEmpty(list.requests)
    const allowedHere = await admin.get(path)
    allowedHere.assertStatus(200)
    assert.lengthOf(list.requests, 1)
  })

  test('in production, no origin is allowed by default', async ({ client, cleanup }) => {
    const service = await startService({
      ...sameDatabase(),
      NODE_ENV: 'production',
      ENTITY_ALLOWED_ORIGINS: undefined,
    })
    cleanup(async () => void (await service.stop()))
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const path = `${service.url}/api/applications/${code}/entities`
    const refused = await admin.post(path, {
      code: 'project',
      name: 'Project',
      listEndpoint: 'https://lists.example/items',
    })
    refused.assertProblem(400, 'ENTITY_ORIGIN_NOT_ALLOWED')
    const without = await admin.post(path, { code: 'project', name: 'Project' })
    without.assertStatus(201)
  })
})
