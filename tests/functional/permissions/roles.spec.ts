import { test } from '@japa/runner'
import { TIMESTAMP, manageApplication, withoutCounts } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { ALWAYS_ACTIVE } from '#tests/helpers/windows'

const rolesOf = (appCode: string) => `/api/applications/${appCode}/roles`

test.group('Roles', () => {
  test('a role is created and read back', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const fields = { code: 'editor', name: 'Editor', description: 'Changes texts' }
    const response = await admin.post(rolesOf(code), fields)
    response.assertStatus(201)
    const { id, createdAt } = response.body().data
    assert.isAbove(id, 0)
    assert.match(createdAt, TIMESTAMP)
    response.assertBody({ success: true, data: { id, ...fields, createdAt } })
    const one = await admin.get(`${rolesOf(code)}/${id}`)
    one.assertStatus(200)
    assert.deepEqual(one.body(), response.body())
  })

  test('the list contains only the roles of the application, in order of creation', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const manage = manageApplication(client, mine.code)
    const created = [
      await manage.role({ code: 'z' }),
      await manage.role({ code: 'a' }),
      await manage.role({ code: 'm' }),
    ]
    await manageApplication(client, other.code).role({ code: 'a' })
    const response = await superAdmin(client).get(rolesOf(mine.code))
    response.assertStatus(200)
    assert.deepEqual(withoutCounts(response.body().data), created)
  })

  test('a description is optional', async ({ client, assert }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role({ code: 'reader' })
    assert.deepEqual(role, {
      id: role.id,
      code: 'reader',
      name: null,
      description: null,
      createdAt: role.createdAt,
    })
  })

  test('only the given fields change', async ({ client, assert }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role({
      code: 'editor',
      description: 'Edits',
    })
    const path = `${rolesOf(code)}/${role.id}`
    const admin = superAdmin(client)
    const recoded = await admin.put(path, { code: 'author' })
    recoded.assertStatus(200)
    recoded.assertBody({ success: true, data: { ...role, code: 'author' } })
    const cleared = await admin.put(path, { description: null })
    cleared.assertBody({ success: true, data: { ...role, code: 'author', description: null } })
    const read = await admin.get(path)
    assert.deepEqual(read.body(), cleared.body())
  })

  test('a code is unique within its application', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [first, second] = [
      await manage.role({ code: 'editor' }),
      await manage.role({ code: 'reader' }),
    ]
    const admin = superAdmin(client)
    const created = await admin.post(rolesOf(code), { code: 'editor' })
    created.assertProblem(409, 'ROLE_EXISTS')
    const changed = await admin.put(`${rolesOf(code)}/${second.id}`, { code: 'editor' })
    changed.assertProblem(409, 'ROLE_EXISTS')
    const all = await admin.get(rolesOf(code))
    assert.deepEqual(withoutCounts(all.body().data), [first, second])
  })

  test('a deleted role is removed from everyone who has it', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [doomed, kept] = [await manage.role(), await manage.role()]
    const permission = await manage.permission()
    await manage.rolePermissions(doomed.id, [
      { permissionId: permission.id, accessLevel: 'allowed' },
    ])
    const email = uniqueEmail()
    await manage.userRoles(email, [doomed.id, kept.id])
    const admin = superAdmin(client)
    const response = await admin.delete(`${rolesOf(code)}/${doomed.id}`)
    response.assertStatus(204)
    assert.equal(response.text(), '')
    const gone = await admin.get(`${rolesOf(code)}/${doomed.id}`)
    gone.assertProblem(404, 'ROLE_NOT_FOUND')
    const left = await admin.get(`/api/users/${email}/apps/${code}/roles`)
    assert.deepEqual(left.body().data, [
      { ...kept, email, application: code, roleId: kept.id, role: kept.code, ...ALWAYS_ACTIVE },
    ])
    // Its permission is no longer in use.
    const retyped = await admin.put(`/api/applications/${code}/permissions/${permission.id}`, {
      type: 'tiered',
    })
    retyped.assertStatus(200)
  })

  test('a role of another application is not found', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const role = await manageApplication(client, other.code).role()
    const admin = superAdmin(client)
    const path = `${rolesOf(mine.code)}/${role.id}`
    const responses = [
      await admin.get(path),
      await admin.put(path, { description: 'Mine' }),
      await admin.delete(path),
      await admin.get(`${path}/permissions`),
      await admin.put(`${path}/permissions`, { permissions: [] }),
    ]
    for (const response of responses) response.assertProblem(404, 'ROLE_NOT_FOUND')
    const kept = await admin.get(`${rolesOf(other.code)}/${role.id}`)
    assert.deepEqual(kept.body().data, role)
  })

  test('{field} is refused as {what}')
    .with([
      { field: 'code', what: 'nothing', value: undefined },
      { field: 'code', what: 'a number', value: 1 },
      { field: 'description', what: 'a list', value: [] },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      const created = await admin.post(rolesOf(code), { code: 'editor', [field]: value })
      created.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      if (value === undefined) return
      const role = await manageApplication(client, code).role()
      const changed = await admin.put(`${rolesOf(code)}/${role.id}`, { [field]: value })
      changed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      const all = await admin.get(rolesOf(code))
      assert.deepEqual(withoutCounts(all.body().data), [role])
    })

  test('a view level can read, an edit level can change, and nobody else can see them', async ({
    client,
  }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role()
    const path = `${rolesOf(code)}/${role.id}`
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const reads = [
      await viewer.get(rolesOf(code)),
      await viewer.get(path),
      await viewer.get(`${path}/permissions`),
    ]
    for (const response of reads) response.assertStatus(200)
    const writes = [
      await viewer.post(rolesOf(code), { code: 'mine' }),
      await viewer.put(path, { code: 'mine' }),
      await viewer.put(`${path}/permissions`, { permissions: [] }),
      await viewer.delete(path),
      await signedIn(client, uniqueEmail()).get(rolesOf(code)),
    ]
    for (const response of writes) response.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const created = await editor.post(rolesOf(code), { code: 'theirs' })
    created.assertStatus(201)
  })

  test('an unknown application is not found', async ({ client }) => {
    const path = rolesOf(uniqueCode())
    const admin = superAdmin(client)
    const responses = [
      await admin.get(path),
      await admin.post(path, { code: 'editor' }),
      await admin.get(`${path}/1`),
      await admin.put(`${path}/1`, { code: 'editor' }),
      await admin.delete(`${path}/1`),
      await admin.get(`${path}/1/permissions`),
      await admin.put(`${path}/1/permissions`, { permissions: [] }),
    ]
    for (const response of responses) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
