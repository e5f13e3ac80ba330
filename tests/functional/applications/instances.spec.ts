import { test } from '@japa/runner'
import Instance from '#app/applications/models/instance'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'

const FIELDS = {
  name: 'Production',
  baseUrl: 'https://shop.example',
  callbackUrls: ['https://shop.example/callback', 'http://localhost:8080/callback?x=1'],
  postLogoutUrls: ['https://shop.example/bye'],
}

test.group('Instances of an application', () => {
  test('an instance is created with all its fields and listed', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const empty = await admin.get(`/api/applications/${code}/instances`)
    empty.assertBody({ success: true, data: [] })

    const response = await admin.post(`/api/applications/${code}/instances`, FIELDS)
    response.assertStatus(201)
    const { id } = response.body().data
    assert.isAbove(id, 0)
    response.assertBody({ success: true, data: { id, ...FIELDS, approved: true } })
    const list = await admin.get(`/api/applications/${code}/instances`)
    list.assertStatus(200)
    list.assertBody({ success: true, data: [{ id, ...FIELDS, approved: true }] })
  })

  test('there are at most 100 instances, even with concurrent requests', async ({
    client,
    assert,
  }) => {
    const { id: applicationId, code } = await anApplication()
    const present = Array.from({ length: 97 }, (_, number) => {
      const name = `Instance ${number}`
      return { applicationId, name, baseUrl: 'https://shop.example', approved: false }
    })
    await Instance.createMany(
      present.map((one) => ({ ...one, callbackUrls: [], postLogoutUrls: [] }))
    )
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/instances`
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, number) => {
        return admin.post(path, { name: `Another ${number}`, baseUrl: 'https://shop.example' })
      })
    )
    const refused = responses.filter((response) => response.status() !== 201)
    assert.lengthOf(refused, 5)
    for (const response of refused)
      response.assertProblem(409, 'TOO_MANY_INSTANCES', { limit: 100 })
    assert.lengthOf((await admin.get(path)).body().data, 100)
  })

  test('the URLs of a list together have at most 16 KiB', async ({ client }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/instances`
    // With quotes and a comma each, and the brackets
    const url = 'https://shop.example/'.padEnd(160, 'x')
    const urls = Array.from({ length: 100 }, () => url)
    const fitting = await admin.post(path, { ...FIELDS, callbackUrls: urls })
    fitting.assertStatus(201)
    const longer = [...urls.slice(1), url.padEnd(250, 'x')]
    for (const field of ['callbackUrls', 'postLogoutUrls']) {
      const refused = await admin.post(path, { ...FIELDS, name: 'Large', [field]: longer })
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('the lists of URLs are optional', async ({ client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).post(`/api/applications/${code}/instances`, {
      name: 'Staging',
      baseUrl: 'https://staging.example/shop',
    })
    response.assertStatus(201)
    response.assertBody({
      success: true,
      data: {
        id: response.body().data.id,
        name: 'Staging',
        baseUrl: 'https://staging.example/shop',
        callbackUrls: [],
        postLogoutUrls: [],
        approved: true,
      },
    })
  })

  test('only the given fields change', async ({ client, assert }) => {
    const { code } = await anApplication()
    const instance = await manageApplication(client, code).instance(FIELDS)
    const path = `/api/applications/${code}/instances/${instance.id}`
    const admin = superAdmin(client)
    const moved = await admin.put(path, { baseUrl: 'https://new.example', callbackUrls: [] })
    moved.assertStatus(200)
    moved.assertBody({
      success: true,
      data: { ...instance, baseUrl: 'https://new.example', callbackUrls: [] },
    })
    const list = await admin.get(`/api/applications/${code}/instances`)
    assert.deepEqual(list.body().data, [moved.body().data])
  })

  test('an instance is deleted', async ({ client }) => {
    const { code } = await anApplication()
    const { id } = await manageApplication(client, code).instance()
    const admin = superAdmin(client)
    const response = await admin.delete(`/api/applications/${code}/instances/${id}`)
    response.assertStatus(204)
    const list = await admin.get(`/api/applications/${code}/instances`)
    list.assertBody({ success: true, data: [] })
    const again = await admin.delete(`/api/applications/${code}/instances/${id}`)
    again.assertProblem(404, 'INSTANCE_NOT_FOUND')
  })

  test('a name is unique within the application', async ({ client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    await manage.instance({ name: 'Production' })
    const second = await manage.instance({ name: 'Staging' })
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/instances`
    const created = await admin.post(path, FIELDS)
    created.assertProblem(409, 'INSTANCE_EXISTS')
    const renamed = await admin.put(`${path}/${second.id}`, { name: 'Production' })
    renamed.assertProblem(409, 'INSTANCE_EXISTS')
    const kept = await admin.put(`${path}/${second.id}`, { name: 'Staging' })
    kept.assertStatus(200)
    const elsewhere = await anApplication()
    await manageApplication(client, elsewhere.code).instance(FIELDS)
  })

  test('an instance of another application is not found', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const instance = await manageApplication(client, other.code).instance(FIELDS)
    const admin = superAdmin(client)
    const path = `/api/applications/${mine.code}/instances/${instance.id}`
    const changed = await admin.put(path, { name: 'Mine' })
    changed.assertProblem(404, 'INSTANCE_NOT_FOUND')
    const deleted = await admin.delete(path)
    deleted.assertProblem(404, 'INSTANCE_NOT_FOUND')
    const kept = await admin.get(`/api/applications/${other.code}/instances`)
    assert.deepEqual(kept.body().data, [instance])
  })

  test('{field} is refused as {what}')
    .with([
      { field: 'name', what: 'nothing', value: undefined },
      { field: 'name', what: 'empty text', value: '' },
      { field: 'baseUrl', what: 'nothing', value: undefined },
      { field: 'baseUrl', what: 'a path', value: '/shop' },
      { field: 'baseUrl', what: 'a URL with credentials', value: 'https://a:b@shop.example' },
      { field: 'callbackUrls', what: 'one URL', value: 'https://shop.example/callback' },
      { field: 'callbackUrls', what: 'a list of paths', value: ['/callback'] },
      { field: 'baseUrl', what: 'a URL without TLS', value: 'http://shop.example' },
      { field: 'baseUrl', what: 'a host in other letters', value: 'https://sh\u043Ep.example' },
      { field: 'baseUrl', what: 'an address in hexadecimal', value: 'https://0x7f000001/' },
      { field: 'callbackUrls', what: 'a script', value: ['javascript:alert(1)'] },
      { field: 'callbackUrls', what: 'a scheme of an app', value: ['com.example.shop:/callback'] },
      { field: 'callbackUrls', what: 'a fragment', value: ['https://shop.example/#callback'] },
      { field: 'callbackUrls', what: 'an empty user', value: ['https://@shop.example/'] },
      {
        field: 'callbackUrls',
        what: 'a host behind a user',
        value: ['https://shop.example@evil.example/'],
      },
      { field: 'callbackUrls', what: 'a wildcard host', value: ['https://*.shop.example/'] },
      { field: 'callbackUrls', what: 'a wildcard path', value: ['https://shop.example/*'] },
      {
        field: 'callbackUrls',
        what: 'a host behind a backslash',
        value: ['https://evil.example\\.shop.example/'],
      },
      { field: 'callbackUrls', what: 'a hidden host', value: ['https://%65vil.example/'] },
      { field: 'callbackUrls', what: 'a line break', value: ['https://shop.example/\n'] },
      { field: 'callbackUrls', what: 'a blank', value: ['https://shop.example/ x'] },
      {
        field: 'callbackUrls',
        what: 'an address that is not loopback',
        value: ['http://127.0.0.1.evil.example/'],
      },
      { field: 'postLogoutUrls', what: 'a list of numbers', value: [1] },
      { field: 'postLogoutUrls', what: 'an object', value: { 0: 'https://shop.example' } },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { code } = await anApplication()
      const path = `/api/applications/${code}/instances`
      const admin = superAdmin(client)
      const created = await admin.post(path, { ...FIELDS, [field]: value })
      created.assertProblem(400, 'VALIDATION_ERROR')
      if (value === undefined) return
      const instance = await manageApplication(client, code).instance(FIELDS)
      const changed = await admin.put(`${path}/${instance.id}`, { [field]: value })
      changed.assertProblem(400, 'VALIDATION_ERROR')
      const list = await admin.get(path)
      assert.deepEqual(list.body().data, [instance])
    })

  test('a view level can read, an edit level can change', async ({ client }) => {
    const { code } = await anApplication()
    const { id } = await manageApplication(client, code).instance()
    const path = `/api/applications/${code}/instances`
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const read = await viewer.get(path)
    read.assertStatus(200)
    const writes = [
      await viewer.post(path, FIELDS),
      await viewer.put(`${path}/${id}`, { name: 'Mine' }),
      await viewer.delete(`${path}/${id}`),
    ]
    for (const response of writes) response.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const created = await editor.post(path, FIELDS)
    created.assertStatus(201)
  })

  test('an unknown application is not found', async ({ client }) => {
    const path = `/api/applications/${uniqueCode()}/instances`
    const admin = superAdmin(client)
    const responses = [
      await admin.get(path),
      await admin.post(path, FIELDS),
      await admin.put(`${path}/1`, { name: 'Nowhere' }),
      await admin.delete(`${path}/1`),
    ]
    for (const response of responses) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
