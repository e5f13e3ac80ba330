import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import emitter from '@adonisjs/core/services/emitter'
import AccessChanged from '#core/events/access_changed'
import { aShop } from '#tests/functional/checks/shop'

test.group('POST /api/check/cache/clear', () => {
  test('clears the cache, so a change made without an event becomes visible', async ({
    client,
    assert,
  }) => {
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

  test('with everywhere=true notifies all processes to clear their caches', async ({
    client,
    assert,
    cleanup,
  }) => {
    const announced: unknown[] = []
    cleanup(emitter.on(AccessChanged, ({ scopes }) => void announced.push(scopes)))
    const { app, email } = await aShop(client)
    const allowed = async () => {
      const response = await client.post('/api/check').json({ email, app, permission: 'orders' })
      return response.body().data.allowed
    }
    assert.isTrue(await allowed())
    await db.from('user_roles').where('email', email).delete()
    announced.length = 0
    const response = await client.post('/api/check/cache/clear?everywhere=true')
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: { cleared: true } })
    assert.deepEqual(announced, [[{}]])
    assert.isFalse(await allowed())
  })

  test('refuses an invalid value of everywhere and keeps the cache', async ({ client, assert }) => {
    const response = await client.post('/api/check/cache/clear?everywhere=perhaps')
    response.assertStatus(400)
    assert.equal(response.body().code, 'VALIDATION_ERROR')
  })
})
