import { test } from '@japa/runner'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aBrand } from '#tests/helpers/platform'

const PATH = '/api/admin/user-pools'

test.group('User pools', () => {
  test('a pool is created, listed, changed and deleted', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const brand = await aBrand(client)
    const slug = uniqueCode('pool')
    const [first, second, third] = [uniqueCode('org'), uniqueCode('org'), uniqueCode('org')]
    const created = await admin.post(PATH, {
      slug,
      name: 'Customers',
      brandId: brand.id,
      organisations: [second, first, second],
    })
    created.assertStatus(201)
    const { id } = created.body().data
    const pool = { id, slug, name: 'Customers', brandId: brand.id, organisations: [second, first] }
    assert.deepEqual(created.body(), { success: true, data: pool })
    const list = await admin.get(PATH)
    list.assertStatus(200)
    assert.isTrue(list.body().success)
    assert.deepInclude(list.body().data, pool)

    const updated = await admin.put(`${PATH}/${id}`, { organisations: [first, third] })
    updated.assertStatus(200)
    assert.deepEqual(updated.body(), {
      success: true,
      data: { ...pool, organisations: [first, third] },
    })
    const renamed = await admin.put(`${PATH}/${id}`, { name: 'Partners', brandId: null })
    assert.deepEqual(renamed.body().data, {
      ...pool,
      name: 'Partners',
      brandId: null,
      organisations: [first, third],
    })

    const deleted = await admin.delete(`${PATH}/${id}`)
    deleted.assertStatus(204)
    const freed = await admin.post(PATH, {
      slug,
      name: 'Again',
      organisations: [first, second, third],
    })
    freed.assertStatus(201)
  })

  test('a slug and a name are enough for a pool', async ({ client, assert }) => {
    const slug = uniqueCode('pool')
    const response = await superAdmin(client).post(PATH, { slug, name: 'Empty' })
    const { id } = response.body().data
    assert.deepEqual(response.body().data, {
      id,
      slug,
      name: 'Empty',
      brandId: null,
      organisations: [],
    })
  })

  test('an organisation belongs to at most one pool, and a refusal changes nothing', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const [taken, free] = [uniqueCode('org'), uniqueCode('org')]
    const create = (organisations: string[]) =>
      admin.post(PATH, { slug: uniqueCode('pool'), name: 'Pool', organisations })
    const first = await create([taken])
    first.assertStatus(201)
    const second = await create([taken, free])
    second.assertProblem(409, 'ORGANISATION_IN_POOL', { organisations: [taken] })
    const third = await create([free])
    third.assertStatus(201)

    const { id } = third.body().data
    const moved = await admin.put(`${PATH}/${id}`, { name: 'Changed', organisations: [taken] })
    moved.assertProblem(409, 'ORGANISATION_IN_POOL', { organisations: [taken] })
    const list = await admin.get(PATH)
    assert.deepInclude(list.body().data, third.body().data)
  })

  test('of many concurrent requests for one organisation, exactly one succeeds', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const organisation = uniqueCode('org')
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        admin.post(PATH, { slug: uniqueCode('pool'), name: 'X', organisations: [organisation] })
      )
    )
    assert.deepEqual(
      responses.map((response) => response.status()).sort(),
      [201, 409, 409, 409, 409]
    )
    for (const response of responses.filter((one) => one.status() === 409)) {
      response.assertProblem(409, 'ORGANISATION_IN_POOL')
    }
  })

  test('the slug and the brand must be valid', async ({ client }) => {
    const admin = superAdmin(client)
    const slug = uniqueCode('pool')
    const created = await admin.post(PATH, { slug, name: 'Pool' })
    const { id } = created.body().data
    const again = await admin.post(PATH, { slug, name: 'Pool' })
    again.assertProblem(409, 'USER_POOL_EXISTS')
    const unknown = await admin.put(`${PATH}/${id}`, { brandId: 999_999_999 })
    unknown.assertProblem(400, 'UNKNOWN_BRAND')
    for (const [field, value] of [
      ['slug', 'Two words'],
      ['name', 'Two\nlines'],
      ['brandId', '1'],
      ['brandId', 1.5],
      ['organisations', 'org'],
    ]) {
      const refused = await admin.put(`${PATH}/${id}`, { [field]: value })
      refused.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
    const inner = await admin.put(`${PATH}/${id}`, { organisations: [''] })
    inner.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'organisations.0' }] })
  })

  test('a pool is kept when its brand is deleted', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const brand = await aBrand(client)
    const slug = uniqueCode('pool')
    const created = await admin.post(PATH, { slug, name: 'Pool', brandId: brand.id })
    const deleted = await admin.delete(`/api/admin/brands/${brand.id}`)
    deleted.assertStatus(204)
    const list = await admin.get(PATH)
    assert.deepInclude(list.body().data, { ...created.body().data, brandId: null })
  })

  test('an unknown pool is not found', async ({ client }) => {
    const admin = superAdmin(client)
    const updated = await admin.put(`${PATH}/999999999`, {})
    updated.assertProblem(404, 'USER_POOL_NOT_FOUND')
    const deleted = await admin.delete(`${PATH}/999999999`)
    deleted.assertProblem(404, 'USER_POOL_NOT_FOUND')
  })

  test('global panel admins can manage pools, and everyone in the panel can read them', async ({
    client,
  }) => {
    const stranger = signedIn(client, uniqueEmail())
    const administrator = signedIn(client, await anAdministratorOf(await anApplication()))
    const refused = await stranger.get(PATH)
    refused.assertProblem(403, 'FORBIDDEN')
    const shown = await administrator.get(PATH)
    shown.assertStatus(200)
    for (const person of [stranger, administrator]) {
      const created = await person.post(PATH, { slug: 'x', name: 'X' })
      created.assertProblem(403, 'FORBIDDEN')
      const updated = await person.put(`${PATH}/1`, { name: 'X' })
      updated.assertProblem(403, 'FORBIDDEN')
      const deleted = await person.delete(`${PATH}/1`)
      deleted.assertProblem(403, 'FORBIDDEN')
    }
  })
})
