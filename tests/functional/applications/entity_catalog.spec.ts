import { test } from '@japa/runner'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'

const FIELDS = {
  code: 'project',
  name: 'Project',
  description: 'A project of a customer',
  idLabel: 'Project number',
  listEndpoint: 'https://projects.example/api/list?all=1',
}

test.group('Entity catalog', () => {
  test('an entity is created with all its fields and read back', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const response = await admin.post(`/api/applications/${code}/entities`, FIELDS)
    response.assertStatus(201)
    const { id } = response.body().data
    assert.isAbove(id, 0)
    response.assertBody({ success: true, data: { id, ...FIELDS } })

    const one = await admin.get(`/api/applications/${code}/entities/${id}`)
    one.assertStatus(200)
    one.assertBody({ success: true, data: { id, ...FIELDS } })
    const all = await admin.get(`/api/applications/${code}/entities`)
    all.assertStatus(200)
    all.assertBody({ success: true, data: [{ id, ...FIELDS }] })
  })

  test('a code and a name are enough', async ({ client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).post(`/api/applications/${code}/entities`, {
      code: 'doc',
      name: 'Document',
    })
    response.assertStatus(201)
    response.assertBody({
      success: true,
      data: {
        id: response.body().data.id,
        code: 'doc',
        name: 'Document',
        description: null,
        idLabel: null,
        listEndpoint: null,
      },
    })
  })

  test('the list has the order of creation and only this application’s entities', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const manage = manageApplication(client, mine.code)
    const created = [
      await manage.entity({ code: 'zebra' }),
      await manage.entity({ code: 'ant' }),
      await manage.entity({ code: 'mole' }),
    ]
    await manageApplication(client, other.code).entity({ code: 'zebra' })
    const response = await superAdmin(client).get(`/api/applications/${mine.code}/entities`)
    assert.deepEqual(response.body(), { success: true, data: created })
  })

  test('only the given fields change', async ({ client, assert }) => {
    const { code } = await anApplication()
    const entity = await manageApplication(client, code).entity(FIELDS)
    const path = `/api/applications/${code}/entities/${entity.id}`
    const admin = superAdmin(client)

    const renamed = await admin.put(path, { code: 'undertaking', name: 'Undertaking' })
    renamed.assertStatus(200)
    renamed.assertBody({
      success: true,
      data: { ...entity, code: 'undertaking', name: 'Undertaking' },
    })
    const cleared = await admin.put(path, { listEndpoint: null, description: '' })
    cleared.assertBody({
      success: true,
      data: { ...renamed.body().data, listEndpoint: null, description: '' },
    })
    const read = await admin.get(path)
    assert.deepEqual(read.body(), cleared.body())
  })

  test('an entity is deleted', async ({ client }) => {
    const { code } = await anApplication()
    const { id } = await manageApplication(client, code).entity()
    const path = `/api/applications/${code}/entities/${id}`
    const admin = superAdmin(client)
    const response = await admin.delete(path)
    response.assertStatus(204)
    const gone = await admin.get(path)
    gone.assertProblem(404, 'ENTITY_NOT_FOUND')
    const again = await admin.delete(path)
    again.assertProblem(404, 'ENTITY_NOT_FOUND')
  })

  test('a code is unique within the application, on creation and on change', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    await manage.entity({ code: 'doc' })
    const second = await manage.entity({ code: 'project' })
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/entities`
    const created = await admin.post(path, { code: 'doc', name: 'Again' })
    created.assertProblem(409, 'ENTITY_EXISTS')
    const changed = await admin.put(`${path}/${second.id}`, { code: 'doc' })
    changed.assertProblem(409, 'ENTITY_EXISTS')
    const same = await admin.put(`${path}/${second.id}`, { code: 'project', name: 'Same code' })
    same.assertStatus(200)
    const read = await admin.get(path)
    assert.lengthOf(read.body().data, 2)
  })

  test('an entity of another application is not found', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const entity = await manageApplication(client, other.code).entity({ name: 'Theirs' })
    const admin = superAdmin(client)
    const path = `/api/applications/${mine.code}/entities/${entity.id}`
    const responses = [
      await admin.get(path),
      await admin.put(path, { name: 'Mine' }),
      await admin.delete(path),
    ]
    for (const response of responses) response.assertProblem(404, 'ENTITY_NOT_FOUND')
    const kept = await admin.get(`/api/applications/${other.code}/entities/${entity.id}`)
    assert.deepEqual(kept.body().data, entity)
  })

  test('the listEndpoint is an absolute http or https URL without credentials: {$self}')
    .with([
      'items',
      '/api/items',
      '//projects.example/items',
      'ftp://projects.example/items',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user:secret@projects.example/items',
      'https://user@projects.example/items',
      'https://',
      '',
      ' https://projects.example/items',
      `https://projects.example/${'a'.repeat(2048)}`,
    ])
    .run(async ({ client }, listEndpoint) => {
      const { code } = await anApplication()
      const path = `/api/applications/${code}/entities`
      const admin = superAdmin(client)
      const created = await admin.post(path, { ...FIELDS, listEndpoint })
      created.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'listEndpoint' }] })
      const { id } = await manageApplication(client, code).entity()
      const changed = await admin.put(`${path}/${id}`, { listEndpoint })
      changed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'listEndpoint' }] })
    })

  test('{field} is refused as {what}')
    .with([
      { field: 'code', what: 'nothing', value: undefined },
      { field: 'code', what: 'empty text', value: '' },
      { field: 'code', what: '__proto__', value: '__proto__' },
      { field: 'code', what: 'toString', value: 'toString' },
      { field: 'code', what: 'text with a blank', value: 'my doc' },
      { field: 'code', what: 'text with a NUL character', value: 'doc\u0000' },
      { field: 'name', what: 'nothing', value: undefined },
      { field: 'name', what: 'a number', value: 1 },
      { field: 'description', what: 'a list', value: [] },
      { field: 'idLabel', what: 'an object', value: { en: 'Number' } },
      { field: 'listEndpoint', what: 'a number', value: 80 },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { code } = await anApplication()
      const path = `/api/applications/${code}/entities`
      const admin = superAdmin(client)
      const created = await admin.post(path, { ...FIELDS, [field]: value })
      created.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      if (value === undefined) return
      const entity = await manageApplication(client, code).entity()
      const changed = await admin.put(`${path}/${entity.id}`, { [field]: value })
      changed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      const all = await admin.get(path)
      assert.deepEqual(all.body().data, [entity])
    })

  test('a view level reads the catalog, an edit level changes it', async ({ client }) => {
    const { code } = await anApplication()
    const { id } = await manageApplication(client, code).entity()
    const path = `/api/applications/${code}/entities`
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const reads = [await viewer.get(path), await viewer.get(`${path}/${id}`)]
    for (const response of reads) response.assertStatus(200)
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
    const path = `/api/applications/${uniqueCode()}/entities`
    const admin = superAdmin(client)
    const responses = [
      await admin.get(path),
      await admin.post(path, FIELDS),
      await admin.get(`${path}/1`),
      await admin.put(`${path}/1`, { name: 'Nowhere' }),
      await admin.delete(`${path}/1`),
      await admin.get(`${path}/project/items`),
    ]
    for (const response of responses) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
