import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import emitter from '@adonisjs/core/services/emitter'
import AccessChanged from '#core/events/access_changed'
import { takeRevisions } from '#core/changes/revision_counter'
import { skipLostRevisions } from '#app/checks/actions/clear_decisions'
import { aShop } from '#tests/functional/checks/shop'

/** The revision after a clear that a restored backup then undoes. */
async function aLife(): Promise<number> {
  const trx = await db.transaction()
  await takeRevisions(trx, 2 * Date.now())
  await skipLostRevisions(trx)
  const revision = await takeRevisions(trx, 1)
  await trx.rollback()
  return revision
}

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

  test('shares what requests that come together ask for', async ({ client, assert, cleanup }) => {
    let announced = 0
    cleanup(emitter.on(AccessChanged, () => void announced++))
    const requests = Array.from({ length: 20 }, async () => {
      const response = await client.post('/api/check/cache/clear?everywhere=true')
      response.assertStatus(200)
    })
    await Promise.all(requests)
    assert.isAbove(announced, 0)
    assert.isBelow(announced, 5)
  })

  test('never uses the same revisions twice, even if the clock is behind', async ({ assert }) => {
    const revision = await aLife()
    assert.notEqual(await aLife(), revision)
  })

  test('refuses an invalid value of everywhere and keeps the cache', async ({ client, assert }) => {
    const response = await client.post('/api/check/cache/clear?everywhere=perhaps')
    response.assertStatus(400)
    assert.equal(response.body().code, 'VALIDATION_ERROR')
  })
})
