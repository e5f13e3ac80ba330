import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { seedRequiredData } from '#database/seeders/required_data_seeder'
import Language from '#app/platform/models/language'
import Brand from '#app/platform/models/brand'
import NotificationType from '#app/notifications/models/notification_type'
import { manageApplication } from '#tests/helpers/management'
import { idOf } from '#tests/helpers/panel_people'
import { superAdmin } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

const TABLES = [
  'languages',
  'brands',
  'applications',
  'entities',
  'permissions',
  'roles',
  'role_permissions',
  'notification_types',
  'super_admins',
  'notification_templates',
  'template_versions',
]

const snapshot = () => Promise.all(TABLES.map((table) => db.from(table).orderBy('id')))

test.group('The seed', () => {
  test('creates the languages en and cs, with en as the fallback of cs', async ({ assert }) => {
    const languages = await Language.query().whereIn('code', ['en', 'cs']).orderBy('id')
    assert.deepEqual(
      languages.map(({ code, fallback, enabled }) => ({ code, fallback, enabled })),
      [
        { code: 'en', fallback: null, enabled: true },
        { code: 'cs', fallback: 'en', enabled: true },
      ]
    )
  })

  test('creates exactly one default brand', async ({ assert }) => {
    const brands = await Brand.query().where('isDefault', true)
    assert.deepEqual(
      brands.map(({ slug }) => slug),
      ['default']
    )
  })

  test('creates the panel application with its entity, permission and roles', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const application = await admin.get('/api/applications/auth')
    application.assertStatus(200)
    const entities = await admin.get('/api/applications/auth/entities')
    assert.containSubset(entities.body().data, [{ code: 'application' }])
    const id = await idOf(client, 'permissions', 'applications.manage')
    const permission = await admin.get(`/api/applications/auth/permissions/${id}`)
    assert.containSubset(permission.body().data, { type: 'tiered', global: false })
    const manager = await idOf(client, 'roles', 'application_manager')
    const gives = await admin.get(`/api/applications/auth/roles/${manager}/permissions`)
    // Gives access to the panel, but to no application.
    assert.deepEqual(gives.body().data, [])
    const panelAdmin = await idOf(client, 'roles', 'panel_admin')
    const all = await admin.get(`/api/applications/auth/roles/${panelAdmin}/permissions`)
    assert.containSubset(all.body().data, [{ permissionId: id, accessLevel: 'edit' }])
    const types = await NotificationType.query().where('applicationId', application.body().data.id)
    assert.include(
      types.map(({ code }) => code),
      'generic'
    )
  })

  test('creates the super admins of SUPER_ADMINS', async ({ client, assert }) => {
    const response = await superAdmin(client).get('/api/users/admins')
    assert.include(
      response.body().data.map(({ email }: { email: string }) => email),
      SUPER_ADMIN
    )
  })

  test('changes nothing when it runs again, even concurrently', async ({ assert }) => {
    const before = await snapshot()
    await Promise.all([seedRequiredData(), seedRequiredData(), seedRequiredData()])
    assert.deepEqual(await snapshot(), before)
  })

  test('keeps what an operator has changed', async ({ client, assert, cleanup }) => {
    const admin = superAdmin(client)
    const id = await idOf(client, 'roles', 'panel_admin')
    const path = `/api/applications/auth/roles/${id}`
    const original = (await admin.get(path)).body().data
    const panel = manageApplication(client, 'auth')
    const permissionId = await idOf(client, 'permissions', 'applications.manage')
    const seeded = { permissionId, accessLevel: 'edit' }
    cleanup(async () => {
      await admin.put(path, { description: original.description })
      await panel.rolePermissions(id, [seeded])
    })
    await admin.put(path, { description: 'Edited' })
    const own = await panel.permission()
    await panel.rolePermissions(id, [seeded, { permissionId: own.id, accessLevel: 'allowed' }])
    await seedRequiredData()
    const after = await admin.get(path)
    assert.equal(after.body().data.description, 'Edited')
    const given = await admin.get(`${path}/permissions`)
    assert.sameMembers(
      given.body().data.map((grant: { permissionId: number }) => grant.permissionId),
      [permissionId, own.id]
    )
  })
})
