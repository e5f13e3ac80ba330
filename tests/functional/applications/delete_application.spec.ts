import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { allowed, manageApplication } from '#tests/helpers/management'
import { idOf, panelPerson } from '#tests/helpers/panel_people'
import { aTemplate, aVersion } from '#tests/helpers/templates'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

/** An application with a row in every dependent table. */
async function fullApplication(client: ApiClient) {
  const application = await anApplication()
  const { id, code } = application
  const email = uniqueEmail()
  const manage = manageApplication(client, code)
  const [first, second] = [await manage.permission(), await manage.permission({ type: 'tiered' })]
  await manage.permission({ parentPermissionId: first.id })
  const role = await manage.role()
  await manage.rolePermissions(role.id, [
    { permissionId: first.id, accessLevel: 'allowed' },
    { permissionId: second.id, accessLevel: 'edit' },
  ])
  await manage.userRoles(email, [role.id])
  await manage.entity({ code: 'doc' })
  await manage.overrides(email, ['doc', '1'], [{ permissionId: second.id, granted: false }])
  await manage.administrator(uniqueEmail())
  await manage.instance()
  await superAdmin(client).put(`/api/applications/${code}/brands`, ['default'])
  await signedIn(client, email).get(`/api/profile/me/apps/${code}`)
  const template = await aTemplate(application, { code: 'generic' })
  await aVersion(template, 'en')
  return { id, code, email, role, permission: first, template }
}

const OWNED_BY_APPLICATION = [
  'permissions',
  'roles',
  'application_admins',
  'entities',
  'instances',
  'application_brands',
  'notification_types',
  'application_preferences',
]

async function rowsOf(applicationId: number, tables = OWNED_BY_APPLICATION) {
  const counts = await Promise.all(
    tables.map((table) => db.from(table).where('application_id', applicationId).count('* as n'))
  )
  return Object.fromEntries(tables.map((table, index) => [table, Number(counts[index][0].n)]))
}

const left = async (table: string, where: object) => (await db.from(table).where(where)).length

test.group('Delete an application', () => {
  test('everything in the application is deleted', async ({ client, assert }) => {
    const { id, code, email, role, permission, template } = await fullApplication(client)
    assert.notInclude(Object.values(await rowsOf(id)), 0)

    const response = await superAdmin(client).delete(`/api/applications/${code}`)
    response.assertStatus(204)
    assert.equal(response.text(), '')

    assert.deepEqual([...new Set(Object.values(await rowsOf(id)))], [0])
    assert.equal(await left('role_permissions', { role_id: role.id }), 0)
    assert.equal(await left('user_roles', { email }), 0)
    assert.equal(await left('resource_overrides', { email }), 0)
    assert.equal(await left('notification_templates', { id: template.id }), 0)
    assert.equal(await left('template_versions', { notification_template_id: template.id }), 0)
    const gone = await superAdmin(client).get(`/api/applications/${code}`)
    gone.assertProblem(404, 'APPLICATION_NOT_FOUND')
    assert.isFalse(await allowed(client, { email, app: code, permission: permission.code }))
  })

  test('other applications are not affected', async ({ client, assert }) => {
    const [doomed, other] = [await fullApplication(client), await fullApplication(client)]
    const before = await rowsOf(other.id)
    await superAdmin(client).delete(`/api/applications/${doomed.code}`)
    assert.deepEqual(await rowsOf(other.id), before)
    const { email, code: app, permission } = other
    assert.isTrue(await allowed(client, { email, app, permission: permission.code }))
    assert.equal(await left('resource_overrides', { email }), 1)
  })

  test('its panel levels are deleted, so that a new application with the code starts without them', async ({
    client,
    assert,
  }) => {
    const [doomed, other] = [await anApplication(), await anApplication()]
    const person = signedIn(
      client,
      await panelPerson(client, { [doomed.code]: 'edit', [other.code]: 'edit' })
    )
    const admin = superAdmin(client)
    const formerAdministrator = uniqueEmail()
    await manageApplication(client, doomed.code).administrator(formerAdministrator)
    const deleted = await admin.delete(`/api/applications/${doomed.code}`)
    deleted.assertStatus(204)
    await anApplication({ code: doomed.code })

    const again = await person.get(`/api/applications/${doomed.code}`)
    again.assertProblem(403, 'FORBIDDEN')
    const kept = await person.get(`/api/applications/${other.code}`)
    kept.assertStatus(200)
    const former = await signedIn(client, formerAdministrator).get(
      `/api/applications/${doomed.code}`
    )
    former.assertProblem(403, 'FORBIDDEN')
    const check = { email: person.email, app: 'auth', permission: 'applications.manage' }
    const on = (resourceId: string) => ({ ...check, resourceType: 'application', resourceId })
    assert.isFalse(await allowed(client, on(doomed.code)))
    assert.isTrue(await allowed(client, on(other.code)))
  })

  test('an override of another application on a resource of the same name is kept', async ({
    client,
    assert,
  }) => {
    const [doomed, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const manage = manageApplication(client, other.code)
    const { id, code } = await manage.permission()
    const resource: [string, string] = ['application', doomed.code]
    await manage.overrides(email, resource, [{ permissionId: id, granted: true }])
    await superAdmin(client).delete(`/api/applications/${doomed.code}`)
    assert.isTrue(
      await allowed(client, {
        email,
        app: other.code,
        permission: code,
        resourceType: 'application',
        resourceId: doomed.code,
      })
    )
  })

  test('login records are kept, because they are the audit trail', async ({ client, assert }) => {
    const { code, email } = await fullApplication(client)
    assert.equal(await left('login_records', { email, app_code: code }), 1)
    await superAdmin(client).delete(`/api/applications/${code}`)
    assert.equal(await left('login_records', { email, app_code: code }), 1)
  })

  test('the panel application cannot be deleted', async ({ client, assert }) => {
    const response = await superAdmin(client).delete('/api/applications/auth')
    response.assertProblem(409, 'APPLICATION_PROTECTED')
    assert.isAbove(await idOf(client, 'permissions', 'applications.manage'), 0)
  })

  test('an unknown application is not found', async ({ client }) => {
    const admin = superAdmin(client)
    const unknown = await admin.delete(`/api/applications/${uniqueCode()}`)
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const { code } = await anApplication()
    const first = await admin.delete(`/api/applications/${code}`)
    first.assertStatus(204)
    const second = await admin.delete(`/api/applications/${code}`)
    second.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
