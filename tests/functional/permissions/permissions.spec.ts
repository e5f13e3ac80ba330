import { test } from '@japa/runner'
import { TIMESTAMP, manageApplication, withoutCounts } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'

const permissionsOf = (appCode: string) => `/api/applications/${appCode}/permissions`

test.group('Permissions', () => {
  test('a permission is created with all its fields and read back', async ({ client, assert }) => {
    const { code } = await anApplication()
    const parent = await manageApplication(client, code).permission()
    const admin = superAdmin(client)
    const fields = {
      code: 'documents.edit',
      name: 'Documents',
      description: 'Show and change documents',
      type: 'tiered',
      groupName: 'Documents',
      parentPermissionId: parent.id,
      global: true,
    }
    const response = await admin.post(permissionsOf(code), fields)
    response.assertStatus(201)
    const { id, createdAt } = response.body().data
    assert.isAbove(id, parent.id)
    assert.match(createdAt, TIMESTAMP)
    response.assertBody({ success: true, data: { id, ...fields, createdAt } })

    const one = await admin.get(`${permissionsOf(code)}/${id}`)
    one.assertStatus(200)
    assert.deepEqual(one.body(), response.body())
    const all = await admin.get(permissionsOf(code))
    all.assertStatus(200)
    assert.deepEqual(withoutCounts(all.body().data), [parent, response.body().data])
  })

  test('a code and a type are enough', async ({ client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).post(permissionsOf(code), {
      code: 'export',
      type: 'binary',
    })
    response.assertStatus(201)
    const { id, createdAt } = response.body().data
    response.assertBody({
      success: true,
      data: {
        id,
        code: 'export',
        name: null,
        description: null,
        type: 'binary',
        groupName: null,
        parentPermissionId: null,
        global: false,
        createdAt,
      },
    })
  })

  test('an application administrator can create, a viewer can read, and others can do neither', async ({
    client,
  }) => {
    const application = await anApplication()
    const path = permissionsOf(application.code)
    const body = { code: 'export', type: 'binary' }
    const admin = signedIn(client, await anAdministratorOf(application))
    const created = await admin.post(path, body)
    created.assertStatus(201)
    const viewer = signedIn(client, await panelPerson(client, { [application.code]: 'view' }))
    const read = await viewer.get(path)
    read.assertStatus(200)
    const stranger = signedIn(client, uniqueEmail())
    const otherAdmin = signedIn(client, await anAdministratorOf(await anApplication()))
    const refused = [
      await viewer.post(path, body),
      await viewer.delete(`${path}/${created.body().data.id}`),
      await stranger.get(path),
      await stranger.post(path, body),
      await otherAdmin.get(path),
      await otherAdmin.post(path, body),
    ]
    for (const response of refused) response.assertProblem(403, 'FORBIDDEN')
  })

  test('a code is unique within its application, but not across applications', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const manage = manageApplication(client, mine.code)
    const first = await manage.permission({ code: 'export' })
    const second = await manage.permission({ code: 'import' })
    await manageApplication(client, other.code).permission({ code: 'export' })
    const admin = superAdmin(client)
    const created = await admin.post(permissionsOf(mine.code), { code: 'export', type: 'tiered' })
    created.assertProblem(409, 'PERMISSION_EXISTS')
    const changed = await admin.put(`${permissionsOf(mine.code)}/${second.id}`, { code: 'export' })
    changed.assertProblem(409, 'PERMISSION_EXISTS')
    const all = await admin.get(permissionsOf(mine.code))
    assert.deepEqual(withoutCounts(all.body().data), [first, second])
  })

  test('a code is case-sensitive', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    await manage.permission({ code: 'export' })
    assert.equal((await manage.permission({ code: 'Export' })).code, 'Export')
  })

  test('only the given fields change', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const parent = await manage.permission()
    const permission = await manage.permission({
      code: 'docs',
      type: 'tiered',
      description: 'Documents',
      groupName: 'Office',
      parentPermissionId: parent.id,
    })
    const path = `${permissionsOf(code)}/${permission.id}`
    const admin = superAdmin(client)

    const first = await admin.put(path, { code: 'documents', global: true, groupName: 'Papers' })
    first.assertStatus(200)
    const expected = { ...permission, code: 'documents', global: true, groupName: 'Papers' }
    first.assertBody({ success: true, data: expected })
    const second = await admin.put(path, {
      type: 'binary',
      description: null,
      groupName: null,
      parentPermissionId: null,
      global: false,
    })
    second.assertStatus(200)
    second.assertBody({
      success: true,
      data: {
        ...expected,
        type: 'binary',
        description: null,
        groupName: null,
        parentPermissionId: null,
        global: false,
      },
    })
    const read = await admin.get(path)
    assert.deepEqual(read.body(), second.body())
  })

  test('the type of a permission in use cannot change', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [given, named] = [
      await manage.permission({ type: 'tiered' }),
      await manage.permission({ type: 'binary' }),
    ]
    const role = await manage.role()
    await manage.rolePermissions(role.id, [{ permissionId: given.id, accessLevel: 'view' }])
    const email = uniqueEmail()
    await manage.overrides(email, ['doc', '1'], [{ permissionId: named.id, granted: false }])
    const admin = superAdmin(client)
    const changeType = (id: number, type: string) =>
      admin.put(`${permissionsOf(code)}/${id}`, { type, description: 'Changed' })

    const first = await changeType(given.id, 'binary')
    first.assertProblem(409, 'PERMISSION_IN_USE')
    const second = await changeType(named.id, 'tiered')
    second.assertProblem(409, 'PERMISSION_IN_USE')
    const all = await admin.get(permissionsOf(code))
    assert.deepEqual(withoutCounts(all.body().data), [given, named])

    const sameType = await changeType(given.id, 'tiered')
    sameType.assertStatus(200)
    await manage.rolePermissions(role.id, [])
    await manage.overrides(email, ['doc', '1'], [])
    const third = await changeType(given.id, 'binary')
    third.assertStatus(200)
    const fourth = await changeType(named.id, 'tiered')
    fourth.assertStatus(200)
  })

  test('a deleted permission is removed from roles, overrides and children', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const doomed = await manage.permission()
    const child = await manage.permission({ parentPermissionId: doomed.id })
    const role = await manage.role()
    await manage.rolePermissions(role.id, [
      { permissionId: doomed.id, accessLevel: 'allowed' },
      { permissionId: child.id, accessLevel: 'allowed' },
    ])
    const email = uniqueEmail()
    await manage.overrides(
      email,
      ['doc', '1'],
      [
        { permissionId: doomed.id, granted: true },
        { permissionId: child.id, granted: false },
      ]
    )
    const admin = superAdmin(client)
    const path = `${permissionsOf(code)}/${doomed.id}`

    const response = await admin.delete(path)
    response.assertStatus(204)
    assert.equal(response.text(), '')
    const gone = await admin.get(path)
    gone.assertProblem(404, 'PERMISSION_NOT_FOUND')
    const orphan = await admin.get(`${permissionsOf(code)}/${child.id}`)
    assert.deepEqual(orphan.body().data, { ...child, parentPermissionId: null })
    const given = await admin.get(`/api/applications/${code}/roles/${role.id}/permissions`)
    assert.deepEqual(
      given.body().data.map(({ permissionId }: { permissionId: number }) => permissionId),
      [child.id]
    )
    const overrides = await admin.get(`/api/users/${email}/apps/${code}/resources`)
    assert.deepEqual(
      overrides.body().data.map(({ permissionId }: { permissionId: number }) => permissionId),
      [child.id]
    )
  })

  test('a permission of another application is not found', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const permission = await manageApplication(client, other.code).permission()
    const admin = superAdmin(client)
    const path = `${permissionsOf(mine.code)}/${permission.id}`
    const responses = [
      await admin.get(path),
      await admin.put(path, { description: 'Mine' }),
      await admin.delete(path),
    ]
    for (const response of responses) response.assertProblem(404, 'PERMISSION_NOT_FOUND')
    const kept = await admin.get(`${permissionsOf(other.code)}/${permission.id}`)
    assert.deepEqual(kept.body().data, permission)
  })

  test('{field} is refused as {what}')
    .with([
      { field: 'code', what: 'nothing', value: undefined },
      { field: 'code', what: 'a number', value: 7 },
      { field: 'type', what: 'nothing', value: undefined },
      { field: 'type', what: 'an unknown type', value: 'ternary' },
      { field: 'type', what: 'a list', value: ['binary'] },
      { field: 'type', what: 'other letters', value: 'Binary' },
      { field: 'description', what: 'a number', value: 1 },
      { field: 'groupName', what: 'a list', value: ['Documents'] },
      { field: 'groupName', what: 'blanks', value: '  ' },
      { field: 'parentPermissionId', what: 'text', value: '1' },
      { field: 'parentPermissionId', what: 'a fraction', value: 1.5 },
      { field: 'parentPermissionId', what: 'zero', value: 0 },
      { field: 'global', what: 'text', value: 'true' },
      { field: 'global', what: 'a number', value: 1 },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      const body = { code: 'export', type: 'binary', [field]: value }
      const created = await admin.post(permissionsOf(code), body)
      created.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      if (value === undefined) return
      const permission = await manageApplication(client, code).permission()
      const changed = await admin.put(`${permissionsOf(code)}/${permission.id}`, { [field]: value })
      changed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      const all = await admin.get(permissionsOf(code))
      assert.deepEqual(withoutCounts(all.body().data), [permission])
    })

  test('an unknown application is not found', async ({ client }) => {
    const path = permissionsOf(uniqueCode())
    const admin = superAdmin(client)
    const responses = [
      await admin.get(path),
      await admin.post(path, { code: 'export', type: 'binary' }),
      await admin.get(`${path}/1`),
      await admin.put(`${path}/1`, { code: 'export' }),
      await admin.delete(`${path}/1`),
    ]
    for (const response of responses) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
