import { test } from '@japa/runner'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'

test.group('Update an application', () => {
  test('the given fields change, and the response shows what is stored', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const before = (await admin.get(`/api/applications/${code}`)).body().data
    const changes = { name: 'Renamed', description: 'Now said', supportedLanguages: ['en'] }

    const response = await admin.put(`/api/applications/${code}`, changes)
    response.assertStatus(200)
    response.assertBody({ success: true, data: { ...before, ...changes } })
    const read = await admin.get(`/api/applications/${code}`)
    assert.deepEqual(read.body(), response.body())
  })

  test('fields that are not given stay as they are', async ({ client }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    await admin.put(`/api/applications/${code}`, {
      name: 'First',
      description: 'Text',
      supportedLanguages: ['cs'],
    })
    const described = await admin.put(`/api/applications/${code}`, { description: null })
    described.assertBodyContains({
      data: { name: 'First', description: null, supportedLanguages: ['cs'] },
    })
    const untouched = await admin.put(`/api/applications/${code}`, {})
    untouched.assertBodyContains({
      data: { name: 'First', description: null, supportedLanguages: ['cs'] },
    })
  })

  test('the list of languages is replaced', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const languagesAfter = async (supportedLanguages: string[]) => {
      const response = await admin.put(`/api/applications/${code}`, { supportedLanguages })
      response.assertStatus(200)
      const read = await admin.get(`/api/applications/${code}`)
      return read.body().data.supportedLanguages
    }
    assert.deepEqual(await languagesAfter(['en', 'cs']), ['en', 'cs'])
    assert.deepEqual(await languagesAfter(['cs', 'cs']), ['cs'])
    assert.deepEqual(await languagesAfter([]), [])
  })

  test('an unknown language is refused, and no field changes', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const before = await admin.get(`/api/applications/${code}`)
    const response = await admin.put(`/api/applications/${code}`, {
      name: 'Renamed',
      supportedLanguages: ['cs', 'xx'],
    })
    response.assertProblem(400, 'UNKNOWN_LANGUAGES')
    assert.deepEqual(response.body().details, { code: 'UNKNOWN_LANGUAGES', unknown: ['xx'] })
    const after = await admin.get(`/api/applications/${code}`)
    assert.deepEqual(after.body(), before.body())
  })

  test('the code cannot change', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const other = uniqueCode()
    const response = await admin.put(`/api/applications/${code}`, { code: other, name: 'Moved?' })
    response.assertStatus(200)
    assert.equal(response.body().data.code, code)
    const moved = await admin.get(`/api/applications/${other}`)
    moved.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })

  test('{field} is refused as {what} and nothing changes')
    .with([
      { field: 'name', what: 'empty text', value: '' },
      { field: 'name', what: 'a number', value: 5 },
      { field: 'name', what: 'a list', value: ['Shop'] },
      { field: 'description', what: 'an object', value: {} },
      { field: 'description', what: 'more than 4,000 characters', value: 'd'.repeat(4001) },
      { field: 'supportedLanguages', what: 'a list of numbers', value: [1] },
      { field: 'supportedLanguages', what: 'a string', value: 'en,cs' },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      const before = await admin.get(`/api/applications/${code}`)
      const response = await admin.put(`/api/applications/${code}`, {
        description: 'Changed',
        name: 'Changed',
        [field]: value,
      })
      response.assertProblem(400, 'VALIDATION_ERROR')
      const after = await admin.get(`/api/applications/${code}`)
      assert.deepEqual(after.body(), before.body())
    })

  test('an edit level is required, and a view level is not enough', async ({ client }) => {
    const { code } = await anApplication()
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const refused = await viewer.put(`/api/applications/${code}`, { name: 'Mine' })
    refused.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const accepted = await editor.put(`/api/applications/${code}`, { name: 'Mine' })
    accepted.assertStatus(200)
  })

  test('an unknown application is not found', async ({ client }) => {
    const response = await superAdmin(client).put(`/api/applications/${uniqueCode()}`, {
      name: 'Nowhere',
    })
    response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
