import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import ResourceOverride from '#app/permissions/models/resource_override'
import { lifecycleEvent, manageApplication, overridesPath } from '#tests/helpers/management'
import { idOf, panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'

async function levelOn(client: ApiClient, email: string, appCode: string) {
  const person = signedIn(client, email)
  const read = await person.get(`/api/applications/${appCode}`)
  const write = await person.put(`/api/applications/${appCode}`, { name: 'Renamed' })
  return `${read.status()} ${write.status()}`
}

const NONE = '403 403'
const VIEW = '200 403'
const EDIT = '200 200'

test.group('The panel level', () => {
  test('applies only to its application', async ({ assert, client }) => {
    const [shown, changed, hidden] = [
      await anApplication(),
      await anApplication(),
      await anApplication(),
    ]
    const email = await panelPerson(client, { [shown.code]: 'view', [changed.code]: 'edit' })
    assert.equal(await levelOn(client, email, shown.code), VIEW)
    assert.equal(await levelOn(client, email, changed.code), EDIT)
    assert.equal(await levelOn(client, email, hidden.code), NONE)
  })

  test('is edit for a grant without a level', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = await panelPerson(client, {})
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    const grant = [{ permissionId, granted: true }]
    await manageApplication(client, 'auth').overrides(email, ['application', code], grant)
    assert.equal(await levelOn(client, email, code), EDIT)
  })

  test('requires the role application_manager', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = await panelPerson(client, { [code]: 'edit' })
    await manageApplication(client, 'auth').userRoles(email, [])
    assert.equal(await levelOn(client, email, code), NONE)

    const roleId = await idOf(client, 'roles', 'application_manager')
    await manageApplication(client, 'auth').userRoles(email, [roleId])
    assert.equal(await levelOn(client, email, code), EDIT)
  })

  test('ends immediately with the override', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = await panelPerson(client, { [code]: 'edit' })
    assert.equal(await levelOn(client, email, code), EDIT)
    await manageApplication(client, 'auth').overrides(email, ['application', code], [])
    assert.equal(await levelOn(client, email, code), NONE)
  })

  test('on all applications applies to each; view cannot create applications', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const viewer = await panelPerson(client, {}, { globally: 'view' })
    const editor = await panelPerson(client, {}, { globally: 'edit' })
    assert.equal(await levelOn(client, viewer, code), VIEW)
    assert.equal(await levelOn(client, editor, code), EDIT)

    const application = () => ({ code: uniqueCode(), name: 'Shop' })
    const refused = await signedIn(client, viewer).post('/api/applications', application())
    refused.assertProblem(403, 'FORBIDDEN')
    const created = await signedIn(client, editor).post('/api/applications', application())
    created.assertStatus(201)
  })

  test('on one application takes precedence over the level on all', async ({ assert, client }) => {
    const { code } = await anApplication()
    const raised = await panelPerson(client, { [code]: 'edit' }, { globally: 'view' })
    const lowered = await panelPerson(client, { [code]: 'view' }, { globally: 'edit' })
    const denied = await panelPerson(client, { [code]: 'deny' }, { globally: 'edit' })
    assert.equal(await levelOn(client, raised, code), EDIT)
    assert.equal(await levelOn(client, lowered, code), VIEW)
    assert.equal(await levelOn(client, denied, code), NONE)
  })

  test('is edit for an administrator despite a denying override', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await panelPerson(client, { [application.code]: 'deny' })
    await manageApplication(client, application.code).administrator(email)
    assert.equal(await levelOn(client, email, application.code), EDIT)
  })

  test('is edit for a super admin despite a denying override', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = await panelPerson(client, { [code]: 'deny' })
    const added = await superAdmin(client).post('/api/users/admins', { email })
    added.assertStatus(201)
    assert.equal(await levelOn(client, email, code), EDIT)
    const removed = await superAdmin(client).delete(`/api/users/admins/${email}`)
    removed.assertStatus(204)
    assert.equal(await levelOn(client, email, code), NONE)
  })

  test('is suspended while a user is deactivated', async ({ assert, client }) => {
    const application = await anApplication()
    const globally = await panelPerson(client, {}, { globally: 'edit' })
    const superAdministrator = uniqueEmail()
    await superAdmin(client).post('/api/users/admins', { email: superAdministrator })
    const people = [
      await panelPerson(client, { [application.code]: 'edit' }),
      await anAdministratorOf(application),
      globally,
      superAdministrator,
    ]
    for (const email of people) {
      await lifecycleEvent(client, 'user.deactivated', email)
      assert.equal(await levelOn(client, email, application.code), NONE, email)
      await lifecycleEvent(client, 'user.reactivated', email)
      assert.equal(await levelOn(client, email, application.code), EDIT, email)
    }
    await superAdmin(client).delete(`/api/users/admins/${superAdministrator}`)
  })

  test('does not come from roles or permissions of the same name in another application', async ({
    assert,
    client,
  }) => {
    const [impostor, target] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const own = manageApplication(client, impostor.code)
    const permission = await own.permission({ code: 'applications.manage', type: 'tiered' })
    const [manager, admin] = [
      await own.role({ code: 'application_manager' }),
      await own.role({ code: 'panel_admin' }),
    ]
    const grant = { permissionId: permission.id, accessLevel: 'edit' }
    await own.rolePermissions(admin.id, [grant])
    await own.userRoles(email, [manager.id, admin.id])
    await own.overrides(email, ['application', target.code], [{ ...grant, granted: true }])
    assert.equal(await levelOn(client, email, target.code), NONE)

    // The real role does not turn the impostor's override into a level either.
    const roleId = await idOf(client, 'roles', 'application_manager')
    await manageApplication(client, 'auth').userRoles(email, [roleId])
    assert.equal(await levelOn(client, email, target.code), NONE)
  })

  test('does not come from an override on a resource of another type', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const email = await panelPerson(client, {})
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    const resource = { resourceType: 'instance', resourceId: code }
    await ResourceOverride.create({ email, permissionId, ...resource, granted: true })
    assert.equal(await levelOn(client, email, code), NONE)
  })
})

test.group('A level on an application that does not exist', () => {
  test('cannot be given or denied', async ({ assert, client }) => {
    const code = uniqueCode()
    const email = uniqueEmail()
    const path = overridesPath(email, 'auth', 'application', code)
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    for (const granted of [true, false]) {
      const refused = await superAdmin(client).put(path, {
        permissions: [{ permissionId, granted }],
      })
      refused.assertProblem(404, 'APPLICATION_NOT_FOUND')
      const { details } = refused.body()
      assert.deepEqual(details, { resourceType: 'application', resourceId: code })
    }
    const empty = await superAdmin(client).put(path, { permissions: [] })
    empty.assertStatus(200)
    const stored = await superAdmin(client).get(path)
    assert.deepEqual(stored.body().data, [])
  })

  test('may be given on the same resource in another application', async ({ client }) => {
    const { code } = await anApplication()
    const { id } = await manageApplication(client, code).permission({ type: 'binary' })
    const path = overridesPath(uniqueEmail(), code, 'application', uniqueCode())
    const response = await superAdmin(client).put(path, {
      permissions: [{ permissionId: id, granted: true }],
    })
    response.assertStatus(200)
  })

  test('stored before this rule does not apply when the application is created', async ({
    assert,
    client,
  }) => {
    const code = uniqueCode()
    const email = uniqueEmail()
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    const target = { email, resourceType: 'application', resourceId: code }
    await ResourceOverride.create({ ...target, permissionId, granted: true })
    const admin = superAdmin(client)
    const created = await admin.post('/api/applications', { code, name: code })
    created.assertStatus(201)
    const stored = await admin.get(overridesPath(email, 'auth', 'application', code))
    assert.deepEqual(stored.body().data, [])
  })

  test('is never left when the application is deleted at the same time', async ({
    assert,
    client,
  }) => {
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    const admin = superAdmin(client)
    for (let attempt = 0; attempt < 5; attempt++) {
      const { code } = await anApplication()
      const path = overridesPath(uniqueEmail(), 'auth', 'application', code)
      const [given, deleted] = await Promise.all([
        admin.put(path, { permissions: [{ permissionId, granted: true }] }),
        admin.delete(`/api/applications/${code}`),
      ])
      assert.include([200, 404], given.status())
      deleted.assertStatus(204)
      const stored = await admin.get(path)
      assert.deepEqual(stored.body().data, [])
    }
  })
})

test.group('Callers cannot raise their own level', () => {
  test('through an override, a role or the administration of the panel', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const target = await anApplication()
    const email = await anAdministratorOf(application)
    const person = signedIn(client, email)
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    const roleId = await idOf(client, 'roles', 'panel_admin')
    const user = `/api/users/${email}/apps/auth`

    const attempts = [
      await person.put(`${user}/resources/application/${target.code}/permissions`, {
        permissions: [{ permissionId, granted: true }],
      }),
      await person.put(`${user}/roles`, { roleIds: [roleId] }),
      await person.put(`/api/applications/auth/roles/${roleId}/permissions`, { permissions: [] }),
      await person.post('/api/users/admins/apps/auth', { email }),
      await person.post(`/api/users/admins/apps/${target.code}`, { email }),
      await person.post('/api/users/admins', { email }),
    ]
    for (const attempt of attempts) attempt.assertProblem(403, 'FORBIDDEN')
    assert.equal(await levelOn(client, email, target.code), NONE)
  })

  test('through a panel role or permission in their own application', async ({ client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const person = signedIn(client, email)
    const roleId = await idOf(client, 'roles', 'panel_admin')
    const permissionId = await idOf(client, 'permissions', 'applications.manage')

    const role = await person.put(`/api/users/${email}/apps/${application.code}/roles`, {
      roleIds: [roleId],
    })
    role.assertStatus(400)
    const override = await person.put(
      `/api/users/${email}/apps/${application.code}/resources/application/auth/permissions`,
      { permissions: [{ permissionId, granted: true }] }
    )
    override.assertStatus(400)
    const list = await person.get('/api/users/admins')
    list.assertProblem(403, 'FORBIDDEN')
  })
})
