import { test } from '@japa/runner'
import { anAdministratorOf, signedIn, uniqueEmail } from '#tests/helpers/people'
import { subjectOf } from '#tests/world/issuer'
import { ORDER_1, aShop } from '#tests/functional/checks/shop'

test.group('POST /api/profile/me/check', () => {
  test('returns {allowed} without an envelope', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const clerk = signedIn(client, email)
    const yes = await clerk.post('/api/profile/me/check', { app, permission: 'orders' })
    yes.assertStatus(200)
    assert.deepEqual(yes.body(), { allowed: true })

    const no = await clerk.post('/api/profile/me/check', {
      app,
      permission: 'orders',
      level: 'edit',
    })
    no.assertStatus(200)
    assert.deepEqual(no.body(), { allowed: false })
  })

  test('returns the map of a bulk check without an envelope', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const permissions = ['orders', 'export', '__proto__', 'constructor']
    const response = await signedIn(client, email).post('/api/profile/me/check/bulk', {
      app,
      permissions,
      ...ORDER_1,
    })
    response.assertStatus(200)
    assert.deepEqual(Object.entries(JSON.parse(response.text())), [
      ['orders', true],
      ['export', false],
      ['__proto__', false],
      ['constructor', false],
    ])
  })

  test('returns effective permissions as an array without an envelope', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const response = await signedIn(client, email).post('/api/profile/me/check/effective', {
      app,
      ...ORDER_1,
    })
    response.assertStatus(200)
    assert.deepEqual(response.body(), [
      {
        code: 'settings',
        type: 'tiered',
        global: true,
        accessLevel: null,
        granted: false,
        source: 'none',
      },
      {
        code: 'audit',
        type: 'binary',
        global: false,
        accessLevel: null,
        granted: false,
        source: 'none',
      },
      {
        code: 'export',
        type: 'binary',
        global: false,
        accessLevel: null,
        granted: false,
        source: 'none',
      },
      {
        code: 'orders',
        type: 'tiered',
        global: false,
        accessLevel: 'edit',
        granted: true,
        source: 'override',
      },
    ])
  })

  test('checks the owner of the token, whatever the body says', async ({ client, assert }) => {
    const { app, application, email } = await aShop(client)
    const stranger = uniqueEmail('stranger')
    const admin = await anAdministratorOf(application)
    for (const [caller, granted] of [
      [stranger, false],
      [email, true],
      [admin, true],
    ] as const) {
      for (const named of [admin, stranger, email, 'not an address', 5, null]) {
        const about = { email: named, user: named, sub: named, app }
        const me = signedIn(client, caller)
        const single = await me.post('/api/profile/me/check', { ...about, permission: 'orders' })
        assert.deepEqual(single.body(), { allowed: granted })
        const bulk = await me.post('/api/profile/me/check/bulk', {
          ...about,
          permissions: ['orders'],
        })
        assert.deepEqual(bulk.body(), { orders: granted })
        const effective = await me.post('/api/profile/me/check/effective', about)
        const orders = effective.body().find(({ code }: { code: string }) => code === 'orders')
        assert.equal(orders.granted, granted)
      }
    }
  })

  test('returns 401 without a valid token', async ({ client }) => {
    for (const path of ['', '/bulk', '/effective']) {
      const body = { app: 'shop', permission: 'orders', permissions: ['orders'] }
      const none = await client.post(`/api/profile/me/check${path}`).json(body)
      none.assertProblem(401, 'UNAUTHENTICATED')
      const bad = await client
        .post(`/api/profile/me/check${path}`)
        .header('authorization', 'Bearer x.y.z')
        .json(body)
      bad.assertStatus(401)
    }
  })

  test('creates the user record of the caller and binds it to their account', async ({
    client,
    assert,
  }) => {
    const { app } = await aShop(client)
    const email = uniqueEmail('passing-by')
    await signedIn(client, email).post('/api/profile/me/check', { app, permission: 'orders' })
    const { default: User } = await import('#app/profiles/models/user')
    const { active, idpUserId } = await User.withEmail(email)
    assert.deepEqual([active, idpUserId], [true, subjectOf(email)])
  })
})
