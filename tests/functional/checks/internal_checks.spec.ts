import { test } from '@japa/runner'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { addSuperAdmin } from '#app/permissions/actions/add_super_admin'
import { removeSuperAdmin } from '#app/permissions/actions/remove_super_admin'
import { DateTime } from 'luxon'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import { ORDER_1, aShop } from '#tests/functional/checks/shop'

test.group('POST /api/check', () => {
  test('returns {data: {allowed}} and nothing else', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const yes = await client.post('/api/check').json({ email, app, permission: 'orders' })
    yes.assertStatus(200)
    yes.assertHeader('content-type', 'application/json; charset=utf-8')
    assert.deepEqual(yes.body(), { data: { allowed: true } })

    const no = await client.post('/api/check').json({ email, app, permission: 'audit' })
    no.assertStatus(200)
    assert.deepEqual(no.body(), { data: { allowed: false } })
  })

  test('an override applies only to its resource, and only with both resource fields', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const allowed = async (resource: object) => {
      const body = { email, app, permission: 'export', ...resource }
      const response = await client.post('/api/check').json(body)
      return response.body().data.allowed
    }
    assert.isFalse(await allowed(ORDER_1))
    assert.isTrue(await allowed({}))
    assert.isTrue(await allowed({ resourceType: 'order' }))
    assert.isTrue(await allowed({ resourceId: '1' }))
    assert.isTrue(await allowed({ resourceType: 'order', resourceId: '2' }))
    assert.isTrue(await allowed({ resourceType: '1', resourceId: 'order' }))
  })

  test('a level can be required: edit satisfies view, view does not satisfy edit', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const allowed = async (
      permission: string,
      level: string | undefined,
      resource: object = {}
    ) => {
      const response = await client
        .post('/api/check')
        .json({ email, app, permission, level, ...resource })
      return response.body().data.allowed
    }
    assert.isTrue(await allowed('orders', undefined))
    assert.isTrue(await allowed('orders', 'view'))
    assert.isFalse(await allowed('orders', 'edit'))
    assert.isTrue(await allowed('orders', 'edit', ORDER_1))
    assert.isTrue(await allowed('orders', 'view', ORDER_1))
    assert.isTrue(await allowed('export', 'allowed'))
    assert.isFalse(await allowed('export', 'view'))
    assert.isFalse(await allowed('audit', 'allowed'))
    assert.isFalse(await allowed('export', 'allowed', ORDER_1))
  })

  test('an unknown application, permission or user is denied without an error', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    for (const body of [
      { email, app: 'no-such-application', permission: 'orders' },
      { email, app, permission: 'no-such-permission' },
      { email: uniqueEmail(), app, permission: 'orders' },
    ]) {
      const response = await client.post('/api/check').json(body)
      response.assertStatus(200)
      assert.deepEqual(response.body(), { data: { allowed: false } })
    }
  })

  test('an application administrator has undefined permissions, a super admin has all', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const admin = await anAdministratorOf(application)
    const root = uniqueEmail('root')
    await addSuperAdmin(root)
    const allowed = async (email: string, app: string) => {
      const response = await client.post('/api/check').json({ email, app, permission: 'undefined' })
      return response.body().data.allowed
    }
    assert.isTrue(await allowed(admin, application.code))
    assert.isFalse(await allowed(admin, 'no-such-application'))
    assert.isTrue(await allowed(root, application.code))
    assert.isTrue(await allowed(root, 'no-such-application'))
    await removeSuperAdmin(root)
    assert.isFalse(await allowed(root, application.code))
  })

  test('different spellings of an address are the same user', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    for (const written of [email.toUpperCase(), `  ${email} `, email.replace('t', 'ｔ')]) {
      const response = await client
        .post('/api/check')
        .json({ email: written, app, permission: 'orders' })
      assert.deepEqual(response.body(), { data: { allowed: true } }, written)
    }
  })

  test('unknown fields are ignored', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const response = await client
      .post('/api/check')
      .json({ email, app, permission: 'orders', allowed: false, user: 5, permissions: 'x' })
    assert.deepEqual(response.body(), { data: { allowed: true } })
  })
})

test.group('POST /api/check/bulk', () => {
  test('returns {data: {code: allowed}}, with every code decided on its own', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const permissions = ['orders', 'export', 'settings', 'audit', 'unknown', 'orders']
    const response = await client.post('/api/check/bulk').json({ email, app, permissions })
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      data: { orders: true, export: true, settings: false, audit: false, unknown: false },
    })

    const onOrder = await client
      .post('/api/check/bulk')
      .json({ email, app, permissions, ...ORDER_1 })
    assert.deepEqual(onOrder.body(), {
      data: { orders: true, export: false, settings: false, audit: false, unknown: false },
    })
  })

  test('a level applies to all permissions', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const permissions = ['orders', 'export']
    const response = await client
      .post('/api/check/bulk')
      .json({ email, app, permissions, level: 'edit', ...ORDER_1 })
    assert.deepEqual(response.body(), { data: { orders: true, export: false } })
  })

  test('codes such as __proto__ are returned as own properties', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const permissions = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'orders', '7']
    const response = await client.post('/api/check/bulk').json({ email, app, permissions })
    response.assertStatus(200)
    const { data } = JSON.parse(response.text())
    assert.sameMembers(Object.getOwnPropertyNames(data), permissions)
    for (const permission of permissions) {
      assert.strictEqual(
        Object.getOwnPropertyDescriptor(data, permission)?.value,
        permission === 'orders',
        permission
      )
    }
  })

  test('an empty list and a list of 500 codes are accepted', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const none = await client.post('/api/check/bulk').json({ email, app, permissions: [] })
    none.assertStatus(200)
    assert.deepEqual(none.body(), { data: {} })

    const permissions = Array.from({ length: 500 }, (_, index) => `${'p'.repeat(240)}-${index}`)
    const many = await client.post('/api/check/bulk').json({ email, app, permissions })
    many.assertStatus(200)
    assert.deepEqual(Object.keys(many.body().data), permissions)
  })
})

test.group('POST /api/check/effective', () => {
  test('lists every defined permission by group and code', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const response = await client.post('/api/check/effective').json({ email, app })
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      data: [
        {
          code: 'settings',
          type: 'tiered',
          groupName: null,
          accessLevel: null,
          granted: false,
          source: null,
        },
        {
          code: 'audit',
          type: 'binary',
          groupName: 'Admin',
          accessLevel: null,
          granted: false,
          source: null,
        },
        {
          code: 'export',
          type: 'binary',
          groupName: 'Sales',
          accessLevel: 'allowed',
          granted: true,
          source: 'role',
        },
        {
          code: 'orders',
          type: 'tiered',
          groupName: 'Sales',
          accessLevel: 'view',
          granted: true,
          source: 'role',
        },
      ],
    })
  })

  test('applies the overrides on the given resource', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const response = await client.post('/api/check/effective').json({ email, app, ...ORDER_1 })
    const [settings, audit, exporting, orders] = response.body().data
    assert.containsSubset(settings, { code: 'settings', granted: false, source: null })
    assert.containsSubset(audit, { code: 'audit', granted: false, source: null })
    assert.containsSubset(exporting, { granted: false, accessLevel: null, source: null })
    assert.containsSubset(orders, { granted: true, accessLevel: 'edit', source: 'override' })
  })

  test('grants an administrator everything: edit if tiered, allowed if binary', async ({
    client,
    assert,
  }) => {
    const { app, application } = await aShop(client)
    const email = await anAdministratorOf(application)
    const response = await client.post('/api/check/effective').json({ email, app, ...ORDER_1 })
    const shown = response.body().data
    assert.deepEqual(
      shown.map((item: Record<string, unknown>) => [item.code, item.accessLevel]),
      [
        ['settings', 'edit'],
        ['audit', 'allowed'],
        ['export', 'allowed'],
        ['orders', 'edit'],
      ]
    )
    for (const item of shown) assert.containsSubset(item, { granted: true, source: 'app_admin' })
  })

  test('grants a super admin edit on everything, and is empty for an unknown application', async ({
    client,
    assert,
  }) => {
    const { app } = await aShop(client)
    const email = uniqueEmail('root')
    await addSuperAdmin(email)
    const response = await client.post('/api/check/effective').json({ email, app })
    assert.lengthOf(response.body().data, 4)
    for (const item of response.body().data) {
      assert.containsSubset(item, { granted: true, accessLevel: 'edit', source: 'superadmin' })
    }
    const unknown = await client.post('/api/check/effective').json({ email, app: 'no-such' })
    unknown.assertStatus(200)
    assert.deepEqual(unknown.body(), { data: [] })
    await removeSuperAdmin(email)
  })

  test('grants an inactive user nothing, not even a super admin', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    await addSuperAdmin(email)
    await handleLifecycleEvent({
      type: 'user.deactivated',
      email,
      userId: null,
      orgId: null,
      names: {},
      occurredAt: DateTime.utc(),
    })
    const response = await client.post('/api/check/effective').json({ email, app })
    assert.lengthOf(response.body().data, 4)
    for (const item of response.body().data) {
      assert.containsSubset(item, { granted: false, accessLevel: null, source: null })
    }
    const check = await client.post('/api/check').json({ email, app, permission: 'orders' })
    assert.deepEqual(check.body(), { data: { allowed: false } })
    await removeSuperAdmin(email)
  })
})
