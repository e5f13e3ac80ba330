import { test } from '@japa/runner'
import { aShop } from '#tests/functional/checks/shop'
import { issuer } from '#tests/world/prepare'

const HOUR_MS = 3_600_000

const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString()

test.group('What a caller can remember of a check', () => {
  test('everything, without a time window or a condition', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    for (const permission of ['orders', 'audit', 'unknown']) {
      const single = await client.post('/api/check').json({ email, app, permission })
      const bulk = await client
        .post('/api/check/bulk')
        .json({ email, app, permissions: [permission] })
      for (const { headers } of [single, bulk].map((response) => ({
        headers: response.headers(),
      }))) {
        assert.notProperty(headers, 'concierge-valid-for')
        assert.notProperty(headers, 'concierge-conditional')
      }
    }
  })

  test('until a time window ends or begins', async ({ client, assert }) => {
    const { app, email, clerk, shop } = await aShop(client)
    const validUntil = inAnHour()
    await shop.temporaryRole(email, clerk.id, validUntil)
    const questions = [
      ['', { permission: 'export' }],
      ['/bulk', { permissions: ['audit', 'export'] }],
    ] as const
    for (const [path, question] of questions) {
      // The second time from the cache.
      for (const source of ['database', 'cache']) {
        const response = await client.post(`/api/check${path}`).json({ email, app, ...question })
        const validFor = Number(response.header('concierge-valid-for'))
        assert.isAtMost(validFor, HOUR_MS, source)
        assert.isAbove(validFor, HOUR_MS / 2, source)
      }
    }
    const own = await client
      .post('/api/profile/me/check')
      .bearerToken(await issuer.token(email))
      .json({ app, permission: 'export' })
    own.assertStatus(200)
    assert.notProperty(own.headers(), 'concierge-valid-for')
  })

  test('not what depends on conditions', async ({ client, assert }) => {
    const { app, email, clerk, shop, permissions } = await aShop(client)
    const condition = 'context.amount < 100'
    await shop.rolePermissions(clerk.id, [
      { permissionId: permissions.orders.id, accessLevel: 'view', condition },
      { permissionId: permissions.exporting.id, accessLevel: 'allowed' },
      { permissionId: permissions.audit.id, accessLevel: 'allowed', condition },
    ])
    const ask = async (path: string, question: object) => {
      const response = await client.post(path).json({ email, app, ...question })
      response.assertStatus(200)
      return response.header('concierge-conditional') as string | undefined
    }
    for (const attributes of [undefined, { context: { amount: 5 } }]) {
      assert.equal(await ask('/api/check', { permission: 'orders', attributes }), '0')
      assert.isUndefined(await ask('/api/check', { permission: 'export', attributes }))
      const codes = ['orders', 'export', 'settings', 'audit']
      assert.equal(await ask('/api/check/bulk', { permissions: codes, attributes }), '0,3')
      assert.isUndefined(await ask('/api/check/bulk', { permissions: ['export'], attributes }))
    }
  })
})
