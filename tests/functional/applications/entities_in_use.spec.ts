import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

/** An application with the entity `doc` and a permission. */
async function catalogWithDocuments(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const entity = await manage.entity({ code: 'doc' })
  const permission = await manage.permission()
  return { code, manage, entity, permission, path: `/api/applications/${code}/entities` }
}

test.group('Entities and the assignments that use them', () => {
  test('an entity in use is neither deleted nor given another code', async ({ client, assert }) => {
    const { manage, entity, permission, path } = await catalogWithDocuments(client)
    const items = [{ permissionId: permission.id, granted: true }]
    const people = [uniqueEmail(), uniqueEmail()]
    await manage.overrides(people[0], ['doc', '1'], items)
    await manage.overrides(people[0], ['doc', '2'], items)
    await manage.overrides(people[1], ['doc', '1'], items)
    const admin = superAdmin(client)

    const deleted = await admin.delete(`${path}/${entity.id}`)
    deleted.assertProblem(409, 'ENTITY_IN_USE')
    assert.deepEqual(deleted.body().details, { assignments: 3 })
    const recoded = await admin.put(`${path}/${entity.id}`, { code: 'file', name: 'File' })
    recoded.assertProblem(409, 'ENTITY_IN_USE')
    assert.deepEqual(recoded.body().details, { assignments: 3 })
    const read = await admin.get(`${path}/${entity.id}`)
    assert.deepEqual(read.body().data, entity)
  })

  test('the other fields of an entity in use can change, even if the request repeats its code', async ({
    client,
  }) => {
    const { manage, entity, permission, path } = await catalogWithDocuments(client)
    await manage.overrides(
      uniqueEmail(),
      ['doc', '1'],
      [{ permissionId: permission.id, granted: false }]
    )
    const response = await superAdmin(client).put(`${path}/${entity.id}`, {
      code: 'doc',
      name: 'Papers',
      description: 'All kinds',
    })
    response.assertStatus(200)
    response.assertBody({
      success: true,
      data: { ...entity, name: 'Papers', description: 'All kinds' },
    })
  })

  test('an entity can be deleted or given another code once its last assignment is gone', async ({
    client,
  }) => {
    const { manage, entity, permission, path } = await catalogWithDocuments(client)
    const email = uniqueEmail()
    await manage.overrides(email, ['doc', '1'], [{ permissionId: permission.id, granted: true }])
    await manage.overrides(email, ['doc', '1'], [])
    const admin = superAdmin(client)
    const recoded = await admin.put(`${path}/${entity.id}`, { code: 'file' })
    recoded.assertStatus(200)
    const deleted = await admin.delete(`${path}/${entity.id}`)
    deleted.assertStatus(204)
  })

  test('an assignment of another application on a type of the same name does not count', async ({
    client,
  }) => {
    const { entity, path } = await catalogWithDocuments(client)
    const other = await catalogWithDocuments(client)
    await other.manage.overrides(
      uniqueEmail(),
      ['doc', '1'],
      [{ permissionId: other.permission.id, granted: true }]
    )
    const response = await superAdmin(client).delete(`${path}/${entity.id}`)
    response.assertStatus(204)
  })

  test('an assignment and the deletion of its entity at the same time never both succeed', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    for (let round = 0; round < 6; round++) {
      const { code, manage, entity, permission, path } = await catalogWithDocuments(client)
      await manage.entity({ code: 'other' })
      const email = uniqueEmail()
      const [assigned, deleted] = await Promise.all([
        admin.put(overridesPath(email, code, 'doc', '1'), {
          permissions: [{ permissionId: permission.id, granted: true }],
        }),
        admin.delete(`${path}/${entity.id}`),
      ])
      const outcome = `${assigned.status()} ${deleted.status()}`
      assert.oneOf(outcome, ['200 409', '400 204'])
    }
  })

  test('without a catalog every resource type is accepted', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const { id } = await manage.permission()
    const items = [{ permissionId: id, granted: true }]
    assert.lengthOf(await manage.overrides(uniqueEmail(), ['anything', '1'], items), 1)
  })

  test('with a catalog an unknown resource type is refused and the known ones are named', async ({
    client,
    assert,
  }) => {
    const { code, manage, permission } = await catalogWithDocuments(client)
    await manage.entity({ code: 'Project' })
    const email = uniqueEmail()
    const permissions = [{ permissionId: permission.id, granted: true }]
    const admin = superAdmin(client)
    for (const type of ['invoice', 'Doc', 'doc ', '__proto__', 'constructor']) {
      const response = await admin.put(overridesPath(email, code, type, '1'), { permissions })
      response.assertProblem(400, 'UNKNOWN_RESOURCE_TYPE')
      assert.deepEqual(response.body().details, { available: ['doc', 'Project'] })
    }
    const stored = await admin.get(`/api/users/${email}/apps/${code}/resources`)
    assert.deepEqual(stored.body().data, [])
  })

  test('assignments older than the catalog stay and can be removed', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const { id } = await manage.permission()
    const email = uniqueEmail()
    await manage.overrides(email, ['legacy', '1'], [{ permissionId: id, granted: true }])
    await manage.entity({ code: 'doc' })
    const admin = superAdmin(client)
    const stored = await admin.get(`/api/users/${email}/apps/${code}/resources`)
    assert.lengthOf(stored.body().data, 1)
    assert.deepEqual(await manage.overrides(email, ['legacy', '1'], []), [])
  })
})
