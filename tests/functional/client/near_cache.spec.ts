import { revisionOf, unwrap } from '@concierge/client'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import feedConfig from '#config/change_feed'
import { aShop } from '#tests/functional/checks/shop'
import { eventually } from '#tests/helpers/eventually'
import { aNearCache, openNearCache } from '#tests/helpers/near_caches'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { TestClock } from '#tests/world/clock'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const ROLES = '/api/users/{email}/apps/{appCode}/roles'

async function aClerk(client: ApiClient) {
  const { app, email, clerk, shop, permissions } = await aShop(client)
  const question = { email, app, permission: 'export' }
  return { app, email, clerk, shop, permissions, question }
}

test.group('A near cache', (group) => {
  group.setup(() => {
    const { heartbeatMs } = feedConfig
    feedConfig.heartbeatMs = 50
    return () => {
      feedConfig.heartbeatMs = heartbeatMs
    }
  })

  test('answers again without a request, until access changes', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { question, shop, email, clerk } = await aClerk(client)
    const { concierge, sent, statistics } = await aNearCache(cleanup)
    for (const permission of ['export', 'audit', 'unknown']) {
      const first = await concierge.may({ ...question, permission })
      const count = sent.length
      for (let again = 0; again < 3; again++) {
        assert.equal(await concierge.may({ ...question, permission }), first)
      }
      assert.lengthOf(sent, count, permission)
    }
    assert.containSubset(statistics, { hits: 9, misses: 3, size: 3 })

    await shop.userRoles(email, [])
    await eventually('it denies', async () => !(await concierge.may(question)))
    await shop.userRoles(email, [clerk.id])
    await eventually('it allows', () => concierge.may(question))
  })

  test('remembers each permission of a bulk check, on its resource and at its level', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { email, app } = await aClerk(client)
    const { concierge, sent } = await aNearCache(cleanup)
    const resource = { type: 'order', id: '1' }
    const questions = [
      { permission: 'orders' },
      { permission: 'export' },
      { permission: '7' },
      { permission: 'orders', level: 'edit' as const },
      { permission: 'orders', resource },
      { permission: 'export', resource },
      { permission: 'export', resource: { ...resource, id: '2' } },
    ].map((question) => ({ email, app, ...question }))
    const ask = () => Promise.all(questions.map((question) => concierge.may(question)))
    const answers = await ask()
    assert.deepEqual(answers, [true, true, false, false, true, false, true])
    const count = sent.length
    assert.deepEqual(await ask(), answers)
    assert.lengthOf(sent, count)
  })

  test('forgets only what a change is about', async ({ client, assert, cleanup }) => {
    const [one, other] = [await aClerk(client), await aClerk(client)]
    const { concierge, statistics } = await aNearCache(cleanup)
    const questions = [one, other].flatMap(({ question: { permission }, app }) =>
      [one, other].map(({ email }) => ({ email, app, permission }))
    )
    for (const question of questions) await concierge.may(question)
    assert.equal(statistics.size, 4)
    await one.shop.userRoles(one.email, [])
    await eventually('one is forgotten', () => statistics.size === 3)
    await one.shop.permission()
    await eventually('those of the application are forgotten', () => statistics.size === 2)
    await anApplication()
    const hits = statistics.hits
    await concierge.may(other.question)
    assert.equal(statistics.hits, hits + 1)
  })

  test('forgets a denial once the permission or the application exists', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { concierge } = await aNearCache(cleanup)
    const { app, shop, email } = await aClerk(client)
    const administrator = uniqueEmail()
    const question = { email: administrator, app, permission: 'later' }
    assert.isFalse(await concierge.may(question))
    await shop.administrator(administrator)
    await eventually('it allows', () => concierge.may(question))
    assert.isFalse(await concierge.may({ email, app, permission: 'later' }))
    const later = await shop.permission({ code: 'later' })
    const role = await shop.role()
    await shop.rolePermissions(role.id, [{ permissionId: later.id, accessLevel: 'allowed' }])
    await shop.userRoles(email, [role.id])
    await eventually('it allows', () => concierge.may({ email, app, permission: 'later' }))
  })

  test('knows an address however it is written', async ({ client, assert, cleanup }) => {
    const { question, shop, email } = await aClerk(client)
    const { concierge, sent, statistics } = await aNearCache(cleanup)
    const spellings = [` ${email} `, email.toUpperCase()]
    for (const spelling of spellings) {
      assert.isTrue(await concierge.may({ ...question, email: spelling }))
    }
    assert.equal(statistics.size, 2)
    await shop.userRoles(email, [])
    await eventually('it forgets both', () => statistics.size === 0)
    // The service knows these to be the same address, but changes do not name them so.
    const count = sent.length
    for (const spelling of [email.replace('k', '\u212A'), email.replace('t', 'ｔ')]) {
      assert.isFalse(await concierge.may({ ...question, email: spelling }))
      assert.isFalse(await concierge.may({ ...question, email: spelling }))
    }
    assert.lengthOf(sent, count + 4)
    assert.equal(statistics.size, 0)
  })

  test('leaves conditions to the service', async ({ client, assert, cleanup }) => {
    const { question, shop, clerk, permissions } = await aClerk(client)
    await shop.rolePermissions(clerk.id, [
      { permissionId: permissions.exporting.id, accessLevel: 'allowed', condition: 'true' },
      { permissionId: permissions.orders.id, accessLevel: 'view' },
    ])
    const { concierge, sent, statistics } = await aNearCache(cleanup)
    for (let again = 1; again <= 3; again++) {
      const answers = ['orders', 'export', 'audit'].map((permission) =>
        concierge.may({ ...question, permission })
      )
      assert.deepEqual(await Promise.all(answers), [true, true, false])
      assert.lengthOf(sent, again)
      assert.equal(statistics.size, 2)
    }
  })

  test('forgets an answer when a time window ends', async ({ client, assert, cleanup }) => {
    const { question, shop, clerk, email } = await aClerk(client)
    const clock = new TestClock()
    const { concierge, sent } = await aNearCache(cleanup, {
      timing: { now: clock.now, silenceMs: 86_400_000 },
    })
    await shop.temporaryRole(email, clerk.id, new Date(Date.now() + 3_600_000).toISOString())
    await eventually('it remembers', async () => {
      const count = sent.length
      await concierge.may(question)
      return sent.length === count
    })
    const count = sent.length
    clock.advance(3_500_000)
    assert.isTrue(await concierge.may(question))
    assert.lengthOf(sent, count)
    clock.advance(100_000)
    assert.isTrue(await concierge.may(question))
    assert.lengthOf(sent, count + 1)
  })

  test('never answers about the owner of a token', async ({ client, assert, cleanup }) => {
    const { app, email, question } = await aClerk(client)
    const { concierge, sent, statistics } = await aNearCache(cleanup)
    const person = concierge.as(await issuer.token(email))
    for (let again = 1; again <= 3; again++) {
      assert.isTrue(await person.may({ app, permission: 'export' }))
      assert.lengthOf(sent, again)
    }
    assert.equal(statistics.size, 0)
    assert.isTrue(await person.may(question))
    assert.isTrue(await concierge.may(question))
    assert.lengthOf(sent, 4)
    assert.equal(person.nearCache, statistics)
  })

  test('reflects a change whose revision the check requires', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { question, email, app, clerk } = await aClerk(client)
    const { concierge, sent } = await aNearCache(cleanup, {
      token: await issuer.token(SUPER_ADMIN),
    })
    const params = { path: { email, appCode: app } }
    for (let round = 0; round < 20; round++) {
      await concierge.may(question)
      const roleIds = round % 2 === 0 ? [] : [clerk.id]
      const written = await concierge.api.PUT(ROLES, { params, body: { roleIds } })
      await unwrap(written)
      const atLeast = revisionOf(written.response)
      assert.isNumber(atLeast)
      assert.equal(await concierge.may(question, { atLeast }), roleIds.length > 0)
      await eventually('it knows without a request', async () => {
        const count = sent.length
        assert.equal(await concierge.may(question, { atLeast }), roleIds.length > 0)
        return sent.length === count
      })
    }
  })

  test('forgets the least recently used answers beyond its limit', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { question } = await aClerk(client)
    const { concierge, sent, statistics } = await aNearCache(cleanup, { maxEntries: 3 })
    const ask = async (permission: string) => {
      const count = sent.length
      await concierge.may({ ...question, permission })
      return sent.length === count
    }
    for (const permission of ['a', 'b', 'c', 'a', 'd']) await ask(permission)
    assert.equal(statistics.size, 3)
    assert.isTrue(await ask('a'))
    assert.isTrue(await ask('c'))
    assert.isFalse(await ask('b'))
    assert.equal(statistics.size, 3)
  })

  test('does not store an answer that a change overtook', async ({ client, assert, cleanup }) => {
    const { question, shop, email } = await aClerk(client)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    let isDecided = false
    const { concierge, statistics } = await aNearCache(cleanup, {
      async fetch(request) {
        const response = await fetch(request)
        if (isDecided) return response
        isDecided = true
        await isReleased
        return response
      },
    })
    const late = concierge.may(question)
    await eventually('it is decided', () => isDecided)
    const other = { ...question, email: uniqueEmail() }
    await concierge.may(other)
    await shop.userRoles(email, [])
    // Of the whole application, so that it shows.
    await shop.permission()
    await eventually('the changes arrive', () => statistics.size === 0)
    release()
    assert.isTrue(await late)
    assert.equal(statistics.size, 0)
    assert.isFalse(await concierge.may(question))
  })

  test('asks the service everything once it is closed', async ({ client, assert, cleanup }) => {
    const { question } = await aClerk(client)
    const { concierge, sent, statistics } = await aNearCache(cleanup)
    await concierge.may(question)
    concierge.close()
    assert.containSubset(statistics, { isLive: false, size: 0, failure: null })
    assert.isTrue(await concierge.may(question))
    assert.isTrue(await concierge.may(question))
    assert.lengthOf(sent, 3)
    concierge.close()
  })

  test('refuses options that make no sense', ({ assert }) => {
    const open = (options: object) => () => openNearCache(() => {}, options)
    for (const maxEntries of [0, -1, 1.5, Number.NaN]) {
      assert.throws(open({ maxEntries }), /maxEntries must be a whole number from 1/)
    }
    assert.throws(open({ internalKey: '' }), /internalKey must be a key/)
  })
})
