import { test } from '@japa/runner'
import Brand from '#app/platform/models/brand'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'

const aBrand = async () => {
  const slug = uniqueCode('brand')
  await Brand.create({ slug, name: slug, isDefault: false })
  return slug
}

test.group('Brands of an application', () => {
  test('a new application has no brands', async ({ client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).get(`/api/applications/${code}/brands`)
    response.assertStatus(200)
    response.assertBody({ success: true, data: [] })
  })

  test('the brands are replaced, from an array or an object with an array', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const [first, second, third] = [await aBrand(), await aBrand(), await aBrand()]
    const after = async (body: object) => {
      const response = await admin.put(`/api/applications/${code}/brands`, body)
      response.assertStatus(200)
      const read = await admin.get(`/api/applications/${code}/brands`)
      assert.deepEqual(read.body(), response.body())
      return response.body()
    }
    assert.deepEqual(await after([second, first]), { success: true, data: [first, second] })
    assert.deepEqual(await after({ brands: [third, first] }), {
      success: true,
      data: [first, third],
    })
    assert.deepEqual(await after([second, second]), { success: true, data: [second] })
    assert.deepEqual(await after([]), { success: true, data: [] })
  })

  test('an unknown brand is reported, and nothing changes', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const known = await aBrand()
    await admin.put(`/api/applications/${code}/brands`, [known])
    const other = await aBrand()
    const unknown = uniqueCode('no-brand')
    const response = await admin.put(`/api/applications/${code}/brands`, [other, unknown])
    response.assertProblem(400, 'UNKNOWN_BRAND')
    assert.deepEqual(response.body().details, { unknown: [unknown] })
    const read = await admin.get(`/api/applications/${code}/brands`)
    assert.deepEqual(read.body().data, [known])
  })

  test('a body that is not a list of slugs is refused: {what}')
    .with<{ what: string; body: object }[]>([
      { what: 'an empty object', body: {} },
      { what: 'one slug', body: { brands: 'default' } },
      { what: 'numbers', body: [1, 2] },
      { what: 'null for the list', body: { brands: null } },
      { what: 'a list in the list', body: [['default']] },
      { what: 'a NUL character', body: ['default\u0000'] },
    ])
    .run(async ({ client, assert }, { body }) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      await admin.put(`/api/applications/${code}/brands`, ['default'])
      const response = await admin.put(`/api/applications/${code}/brands`, body)
      response.assertProblem(400, 'VALIDATION_ERROR')
      const read = await admin.get(`/api/applications/${code}/brands`)
      assert.deepEqual(read.body().data, ['default'])
    })

  test('a view level can read, an edit level can change', async ({ client }) => {
    const { code } = await anApplication()
    const path = `/api/applications/${code}/brands`
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const read = await viewer.get(path)
    read.assertStatus(200)
    const refused = await viewer.put(path, ['default'])
    refused.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const accepted = await editor.put(path, ['default'])
    accepted.assertStatus(200)
  })

  test('concurrent replacements end with one of the sets', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const sets = [
      [await aBrand(), await aBrand()],
      [await aBrand(), await aBrand()],
    ]
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(
        [...sets, ...sets].map((set) => admin.put(`/api/applications/${code}/brands`, set))
      )
      for (const response of responses) response.assertStatus(200)
      const read = await admin.get(`/api/applications/${code}/brands`)
      assert.oneOf(
        JSON.stringify(read.body().data),
        sets.map((set) => JSON.stringify(set))
      )
    }
  })

  test('an unknown application is not found', async ({ client }) => {
    const path = `/api/applications/${uniqueCode()}/brands`
    const read = await superAdmin(client).get(path)
    read.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const written = await superAdmin(client).put(path, [])
    written.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
