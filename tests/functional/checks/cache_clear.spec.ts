import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { aShop } from '#tests/functional/checks/shop'

test.group('POST /api/check/cache/clear', () => {
  test('empties the cache, so that a change nobody announced shows', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const allowed = async () => {
      const body = { email, app, permission: 'orders' }
      const response = await client.post('/api/check').json(body)
      return response.body().data.allowed
    }
    assert.isTrue(await allowed())
    await db.from('user_roles').where('email', email).delete()
    assert.isTrue(await allowed())

    const response = await client.post('/api/check/cache/clear')
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: { cleared: true } })
    assert.isFalse(await allowed())
  })
})
